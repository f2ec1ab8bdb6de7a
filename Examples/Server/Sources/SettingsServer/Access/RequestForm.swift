import Foundation
import Hummingbird
import NIOCore

/// The fields of a form, in either encoding that a browser uses.
struct RequestForm {
  private var fields: [String: ByteBuffer] = [:]

  /// Reads a request's body within the limits of its size and time.
  init(of request: Request, within limits: Limits) async throws {
    let tooLarge = Refusal(
      .contentTooLarge, "The request is too large: limits.bodyBytes is \(limits.bodyBytes).")
    let length = request.headers[.contentLength].flatMap(Int.init) ?? 0
    guard length <= limits.bodyBytes else { throw tooLarge }
    let body = try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        do {
          return try await request.body.collect(upTo: limits.bodyBytes)
        } catch is NIOTooManyBytesError {
          throw tooLarge
        }
      }
      group.addTask {
        try await Task.sleep(for: .seconds(limits.bodySeconds))
        throw Refusal(.requestTimeout, "The request took too long: see limits.bodySeconds.")
      }
      return try await group.next()!
    }
    let type = request.headers[.contentType].flatMap(MediaType.init(from:))
    if let type, type.isType(.multipartForm), let boundary = type.parameter?.value {
      try readParts(of: body, boundary: boundary)
    } else {
      readPairs(of: String(buffer: body))
    }
  }

  /// Returns a field as text, with the line ends of a text.
  subscript(_ name: String) -> String? {
    fields[name].map { String(buffer: $0).replacing("\r\n", with: "\n") }
  }

  func data(_ name: String) -> Data? {
    fields[name].map { Data($0.readableBytesView) }
  }

  private mutating func readPairs(of body: String) {
    for pair in body.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.replacing("+", with: " ").removingPercentEncoding }
      if parts.count == 2, let name = parts[0], let value = parts[1] {
        fields[name] = ByteBuffer(string: value)
      }
    }
  }

  private mutating func readParts(of body: ByteBuffer, boundary: String) throws {
    let malformed = Refusal(.badRequest, "The form cannot be read.")
    // With the line end before it, each boundary looks like the others.
    let data = Data("\r\n".utf8) + Data(body.readableBytesView)
    let separator = Data("\r\n--\(boundary)".utf8)
    guard var end = data.range(of: separator)?.upperBound else { throw malformed }
    while !data[end...].starts(with: Data("--".utf8)) {
      guard let next = data.range(of: separator, in: end..<data.endIndex),
        let headEnd = data.range(of: Data("\r\n\r\n".utf8), in: end..<next.lowerBound)
      else { throw malformed }
      let head = String(decoding: data[end..<headEnd.lowerBound], as: UTF8.self)
      if let name = head.firstMatch(of: /(?i:content-disposition): *form-data;.*?\bname="([^"]*)"/)
      {
        fields[String(name.1)] = ByteBuffer(bytes: data[headEnd.upperBound..<next.lowerBound])
      }
      end = next.upperBound
    }
  }
}
