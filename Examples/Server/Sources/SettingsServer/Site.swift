import Foundation
import HTTPTypes
import Hummingbird

/// The greeting, and the files of the folder.
struct Site: Sendable {
  private static let chunkSize = 65_536

  private let settings: ServerSettings
  private let preferences: URL?

  /// - Parameters:
  ///   - settings: The settings, which each request reads anew.
  ///   - preferences: A folder whose files are sent to nobody.
  init(_ settings: ServerSettings, besides preferences: URL?) {
    (self.settings, self.preferences) = (settings, preferences)
  }

  func greeting() throws -> Response {
    try checkIsOpen()
    return Response(
      status: .ok, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-cache"],
      body: .init(byteBuffer: ByteBuffer(string: settings.greeting + "\n")))
  }

  private func checkIsOpen() throws {
    guard !settings.maintenance else {
      throw Refusal(
        .serviceUnavailable, "The server is being maintained.", headers: [.retryAfter: "60"])
    }
  }

  func file(_ request: Request, _ context: ServerContext) async throws -> Response {
    try checkIsOpen()
    // Read once: another one could come between two reads.
    let folder = settings.folder
    guard folder.isFileURL, var names = Self.names(in: request.uri.path) else {
      throw Refusal.notFound
    }
    if names.last == "" { names[names.count - 1] = "index.html" }
    let path = names.joined(separator: "/")
    guard
      let file = try await OpenFile.open(
        path, in: folder.path, besides: preferences?.path)
    else {
      throw Refusal.notFound
    }
    let headers = headers(of: file, named: names.last ?? "")
    guard !request.headers[values: .ifNoneMatch].contains(file.tag) else {
      return Response(status: .notModified, headers: headers)
    }
    guard request.method == .get, file.size > 0 else {
      return Response(
        status: .ok, headers: headers,
        body: .init(contentLength: file.size) { try await $0.finish(nil) })
    }
    return Response(
      status: .ok, headers: headers,
      body: .init(contentLength: file.size) { writer in
        var offset = 0
        while offset < file.size {
          let bytes = try await file.read(
            at: offset, count: min(Self.chunkSize, file.size - offset))
          offset += bytes.readableBytes
          try await writer.write(bytes)
        }
        try await context.flush()
        try await writer.finish(nil)
      })
  }

  private func headers(of file: OpenFile, named name: String) -> HTTPFields {
    var headers: HTTPFields = [
      .eTag: file.tag,
      .cacheControl: "max-age=\(settings.cacheSeconds)",
      .xContentTypeOptions: "nosniff",
      // A page of the folder has the same origin as /settings, where it may not act.
      .contentSecurityPolicy: "sandbox allow-downloads allow-forms allow-popups allow-scripts",
      .contentType: "application/octet-stream",
    ]
    if let type = MediaType.getMediaType(
      forExtension: String(name.split(separator: ".").last ?? ""))
    {
      headers[.contentType] = type.type == .text ? "\(type); charset=utf-8" : "\(type)"
    }
    return headers
  }

  /// Returns the names that a path consists of. Returns `nil` if one could lead elsewhere, or
  /// is hidden.
  private static func names(in path: String) -> [String]? {
    var names: [String] = []
    let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      guard let name = part.removingPercentEncoding, !name.hasPrefix("."),
        !name.utf8.contains(0), !name.utf8.contains(UInt8(ascii: "/")),
        !name.isEmpty || index == parts.count - 1
      else { return nil }
      names.append(name)
    }
    return names
  }
}

extension Refusal {
  static let notFound = Refusal(.notFound, "There is no such file.")
}
