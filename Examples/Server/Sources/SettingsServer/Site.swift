import Foundation
import HTTPTypes
import Hummingbird
import NIOPosix

/// The greeting, and the files of the folder.
struct Site: Sendable {
  private let settings: ServerSettings
  private let preferences: URL?

  /// Each request reads the settings anew. Nobody is sent files that lie in `preferences`.
  init(_ settings: ServerSettings, besides preferences: URL?) {
    (self.settings, self.preferences) = (settings, preferences)
  }

  func greeting() throws -> Response {
    try Self.checkIsOpen(settings)
    return Response(
      status: .ok, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-cache"],
      body: .init(byteBuffer: ByteBuffer(string: settings.greeting + "\n")))
  }

  private static func checkIsOpen(_ settings: ServerSettings) throws {
    guard !settings.maintenance else {
      throw HTTPError(
        .serviceUnavailable, headers: [.retryAfter: "60"],
        message: "The server is being maintained.")
    }
  }

  func file(_ request: Request, _ context: ServerContext) async throws -> Response {
    // Of one moment: a change by another process could come between two reads.
    let settings = settings.snapshot()
    try Self.checkIsOpen(settings)
    guard settings.folder.isFileURL, var names = Self.names(in: request.uri.path) else {
      throw HTTPError(.notFound)
    }
    if names.last == "" { names[names.count - 1] = "index.html" }
    let path = names.joined(separator: "/")
    let opened = try await NIOThreadPool.singleton.runIfActive {
      OpenFile(path, in: settings.folder.path, besides: preferences?.path)
    }
    guard let file = opened else { throw HTTPError(.notFound) }
    let headers = Self.headers(of: file, names.last ?? "", maxAge: settings.cacheSeconds)
    guard !request.headers[values: .ifNoneMatch].contains(file.tag) else {
      return Response(status: .notModified, headers: headers)
    }
    return Response(
      status: .ok, headers: headers,
      body: .init(contentLength: file.size) { writer in
        var offset = 0
        while offset < file.size {
          let bytes = try await file.read(at: offset, count: min(65_536, file.size - offset))
          offset += bytes.readableBytes
          try await writer.write(bytes)
        }
        try await context.flush()
        try await writer.finish(nil)
      })
  }

  private static func headers(of file: OpenFile, _ name: String, maxAge: Int) -> HTTPFields {
    var headers: HTTPFields = [
      .eTag: file.tag,
      .cacheControl: "max-age=\(maxAge)",
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
