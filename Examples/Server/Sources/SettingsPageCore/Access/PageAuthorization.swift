import Foundation
public import HTTPTypes

/// Who asks, and what they may do.
public struct PageVisitor: Sendable, Hashable {
  /// The name that an audit log has.
  public var name: String
  public var mayChange: Bool

  public init(name: String, mayChange: Bool = true) {
    (self.name, self.mayChange) = (name, mayChange)
  }
}

/// Decides with a request who asks. The address that the request comes from never counts.
public struct PageAuthorization: Sendable {
  let token: PageToken?
  let isBehindTLS: Bool
  private let decide: @Sendable (HTTPRequest) async throws -> PageVisitor?

  /// Whoever has a token may do everything.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - isBehindTLS: Whether a proxy speaks TLS to browsers, so that cookies are `Secure`.
  public static func token(_ token: PageToken, isBehindTLS: Bool = false) -> Self {
    Self(token: token, isBehindTLS: isBehindTLS) { head in
      let isKnown = bearer(head).map(token.matches) ?? hasCookie(head, token)
      return isKnown ? PageVisitor(name: "token") : nil
    }
  }

  /// A function decides, such as by a session of your own or a field that your proxy sets.
  ///
  /// - Parameters:
  ///   - isBehindTLS: Whether a proxy speaks TLS to browsers.
  ///   - decide: Returns who asks, or `nil` to refuse the request.
  public static func by(
    isBehindTLS: Bool = false,
    _ decide: @escaping @Sendable (HTTPRequest) async throws -> PageVisitor?
  ) -> Self {
    Self(token: nil, isBehindTLS: isBehindTLS, decide: decide)
  }

  private init(
    token: PageToken?, isBehindTLS: Bool,
    decide: @escaping @Sendable (HTTPRequest) async throws -> PageVisitor?
  ) {
    (self.token, self.isBehindTLS, self.decide) = (token, isBehindTLS, decide)
  }

  func visitor(of request: PageRequest) async throws -> PageVisitor? {
    if let visitor = request.visitor { return try await visitor() }
    return try await decide(request.head)
  }

  // MARK: Where a token may stand

  private static let maximumOfCookies = 8_192

  /// Returns the token of the field that no page of another site can send.
  static func bearer(_ head: HTTPRequest) -> Substring.UTF8View? {
    let field = head.headerFields[.authorization] ?? ""
    guard field.utf8.count <= PageToken.lengths.upperBound + 7,
      field.prefix(7).lowercased() == "bearer "
    else { return nil }
    return field.dropFirst(7).utf8
  }

  /// Returns the token of the address, which is there once.
  func isInAddress(_ head: HTTPRequest) -> Bool {
    guard let token, let path = head.path, path.utf8.count <= 2_048,
      let mark = path.utf8.firstIndex(of: UInt8(ascii: "?"))
    else { return false }
    return path.utf8[mark...].dropFirst().split(separator: UInt8(ascii: "&")).contains {
      $0.starts(with: "token=".utf8) && token.matches($0.dropFirst(6))
    }
  }

  private static func hasCookie(_ head: HTTPRequest, _ token: PageToken) -> Bool {
    let name = Array("\(cookieName(head))=".utf8)
    var rest = maximumOfCookies
    for field in head.headerFields[fields: .cookie] {
      let cookies = field.value.utf8
      rest -= cookies.count
      guard rest >= 0 else { return false }
      for cookie in cookies.split(separator: UInt8(ascii: ";")) {
        let cookie = cookie.drop { $0 == UInt8(ascii: " ") }
        if cookie.starts(with: name), token.matches(cookie.dropFirst(name.count)) { return true }
      }
    }
    return false
  }

  /// Cookies know no ports, so that two servers on one machine would take each other's.
  private static func cookieName(_ head: HTTPRequest) -> String {
    "settings-\(Authority(head)?.port.map(String.init) ?? "page")"
  }

  func cookie(for head: HTTPRequest, path: String) -> String {
    let secure = isBehindTLS ? "; Secure" : ""
    let cookie = "\(Self.cookieName(head))=\(token?.text ?? "")"
    return "\(cookie); Path=\(path); HttpOnly; SameSite=Strict\(secure)"
  }
}
