import Crypto
public import Foundation

/// The text that opens the page.
public struct PageToken: Sendable {
  static let lengths = 16...256

  let text: String
  let isRandom: Bool

  /// Creates a fixed token.
  ///
  /// Returns `nil` unless the text has 16 to 256 letters, digits and `-._~`.
  public init?(_ text: String) {
    guard Self.lengths.contains(text.utf8.count), text.utf8.allSatisfy(Self.isPlain) else {
      return nil
    }
    (self.text, isRandom) = (text, false)
  }

  private init() {
    let bytes = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
    text = bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
    isRandom = true
  }

  /// Creates a token of 128 random bits.
  public static func random() -> Self { Self() }

  /// Returns the token of this start: that of `SETTINGS_PAGE_TOKEN`, or of the file that
  /// `SETTINGS_PAGE_TOKEN_FILE` names, or a random one.
  ///
  /// - Parameters:
  ///   - environment: The variables.
  ///   - warn: Receives a sentence if a variable has no token. The token is random then.
  public static func ofThisStart(
    _ environment: [String: String] = ProcessInfo.processInfo.environment,
    warn: (String) -> Void
  ) -> Self {
    let name: String
    let text: String
    if let value = environment["SETTINGS_PAGE_TOKEN"] {
      (name, text) = ("SETTINGS_PAGE_TOKEN", value)
    } else if let path = environment["SETTINGS_PAGE_TOKEN_FILE"] {
      name = "SETTINGS_PAGE_TOKEN_FILE"
      text = ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
        .trimmingCharacters(in: .whitespacesAndNewlines)
    } else {
      return .random()
    }
    if let token = Self(text) { return token }
    warn(
      "\(name) has no token of 16 to 256 letters, digits and -._~, so a random one opens the page.")
    return .random()
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }

  /// Whether a text is the token, in a time that tells nothing of it but its length.
  func matches(_ candidate: some Collection<UInt8>) -> Bool {
    guard candidate.count == text.utf8.count else { return false }
    return SHA256.hash(data: Data(candidate)) == SHA256.hash(data: Data(text.utf8))
  }
}
