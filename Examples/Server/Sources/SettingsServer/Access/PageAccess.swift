import Crypto
import Foundation
import Hummingbird
import Synchronization
import TypedDefaults

/// Decides who may see the page and change settings.
///
/// A session is the name in a cookie. After a sign-in, the cookie also holds a code of that
/// name and the password,
/// so that another password, or a restart of the server, ends every session.
final class PageAccess: Sendable {
  struct Session {
    let id: String
    fileprivate let proof: (expires: Int, code: String)?
  }

  private static let secondsSignedIn = 12 * 3_600
  private static let secondsOfToken = 3_600
  private static let maximumSpent = 10_000

  private let settings: ServerSettings
  private let holdsPassword: @Sendable () -> Bool
  private let sessionKey = SymmetricKey(size: .bits256)
  private let attempts = RateLimiter()

  private struct Tokens {
    var key = SymmetricKey(size: .bits256)
    var spent: [String: Int] = [:]  // When each would have expired.
  }
  private let tokens = Mutex(Tokens())

  /// - Parameters:
  ///   - settings: The settings, with the password.
  ///   - holdsPassword: Whether there is anything under the password's key, even what is no text.
  init(_ settings: ServerSettings, holdsPassword: @escaping @Sendable () -> Bool) {
    (self.settings, self.holdsPassword) = (settings, holdsPassword)
  }

  // MARK: Sessions

  /// Returns the session of a request.
  func session(of request: Request) -> Session? {
    guard let cookie = request.cookies[cookieName(for: request)]?.value else { return nil }
    let parts = cookie.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts[0].count == 32 else { return nil }
    guard parts.count == 3, let expires = Int(parts[1]) else {
      return parts.count == 1 ? Session(id: parts[0], proof: nil) : nil
    }
    return Session(id: parts[0], proof: (expires, parts[2]))
  }

  /// Makes a session. It has the sign-in only if there is no password, or the caller has
  /// checked it.
  func makeSession(isSignedIn: Bool) -> Session {
    let id = Self.random()
    guard isSignedIn, let password = settings.adminPassword else {
      return Session(id: id, proof: nil)
    }
    let expires = Self.now + Self.secondsSignedIn
    return Session(
      id: id, proof: (expires, code(sessionKey, id, "\(expires)", password.storedValue)))
  }

  func cookie(_ session: Session, for request: Request) -> Cookie {
    let proof = session.proof.map { ".\($0.expires).\($0.code)" } ?? ""
    return Cookie(
      name: cookieName(for: request), value: session.id + proof, path: "/settings", httpOnly: true,
      sameSite: .strict)
  }

  /// Whether the session may use the page.
  func isSignedIn(_ session: Session) -> Bool {
    guard let password = settings.adminPassword else { return !holdsPassword() }
    guard let (expires, code) = session.proof, expires > Self.now else { return false }
    return isValid(code, sessionKey, session.id, "\(expires)", password.storedValue)
  }

  /// Throws if a client cannot be let in before there is a password.
  func check(_ request: Request, from client: Client) throws {
    guard settings.adminPassword == nil else { return }
    let name = Gate.host(of: request.head.authority ?? "").lowercased()
    let isLocal = name == "localhost" || name == "::1" || name.hasPrefix("127.")
    guard isLocal && client.isLoopback else {
      throw Refusal(
        .forbidden,
        "From another machine, this page needs a password. Set adminPassword on the server.")
    }
  }

  /// Returns whether a password is the right one. Each client can try five, and then one
  /// every ten seconds.
  func admits(_ password: String, from client: Client) throws -> Bool {
    guard attempts.admits(client, perSecond: 0.1, burst: 5) else {
      throw Refusal(.tooManyRequests, "Too many attempts. Wait a minute, then try again.")
    }
    guard let expected = settings.adminPassword, !expected.text.isEmpty else { return false }
    // Codes have one length and are compared in constant time, so that nothing is learned
    // from the time.
    return isValid(code(sessionKey, password), sessionKey, expected.text)
  }

  /// Cookies know no ports, so that two servers on one machine would take each other's.
  private func cookieName(for request: Request) -> String {
    "settings" + (request.head.authority ?? "").filter(\.isASCII).filter(\.isNumber)
  }

  // MARK: Tokens of forms

  /// Returns a token that is good for one change in this session.
  func makeToken(for session: Session) -> String {
    let (name, expires) = (Self.random(), Self.now + Self.secondsOfToken)
    let key = tokens.withLock { $0.key }
    let code = code(key, session.id, name, "\(expires)")
    return "\(name).\(expires).\(code)"
  }

  /// Throws if a token is not of this session, has expired, or has been spent before.
  func spend(_ token: String?, in session: Session) throws {
    let parts = (token ?? "").split(separator: ".").map(String.init)
    let isSpent = tokens.withLock { tokens in
      guard parts.count == 3, let expires = Int(parts[1]), expires > Self.now,
        isValid(parts[2], tokens.key, session.id, parts[0], parts[1]),
        tokens.spent[parts[0]] == nil
      else { return false }
      if tokens.spent.count >= Self.maximumSpent {
        tokens.spent = tokens.spent.filter { $0.value > Self.now }
        // Rather all tokens end than one is good twice.
        if tokens.spent.count >= Self.maximumSpent { tokens = Tokens() }
      }
      tokens.spent[parts[0]] = expires
      return true
    }
    guard isSpent else {
      throw Refusal(.forbidden, "This form is out of date. Load the page again, and repeat.")
    }
  }

  // MARK: Codes

  private static var now: Int { Int(Date.now.timeIntervalSince1970) }

  static func random() -> String {
    SymmetricKey(size: .bits128).withUnsafeBytes(hex)
  }

  private static func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private func code(_ key: SymmetricKey, _ parts: String...) -> String {
    Self.hex(HMAC<SHA256>.authenticationCode(for: Self.message(parts), using: key))
  }

  private func isValid(_ code: String, _ key: SymmetricKey, _ parts: String...) -> Bool {
    let expected = HMAC<SHA256>.authenticationCode(for: Self.message(parts), using: key)
    let given = stride(from: 0, to: code.utf8.count, by: 2).compactMap { offset in
      UInt8(code.dropFirst(offset).prefix(2), radix: 16)
    }
    return expected == Data(given)  // In constant time, which the type promises.
  }

  /// With the lengths of its parts, so that no two lists of parts have one message.
  private static func message(_ parts: [String]) -> Data {
    Data(parts.map { "\($0.utf8.count):\($0)" }.joined().utf8)
  }
}
