import Crypto
import Foundation
import TypedDefaults

/// A setting as the page and its JSON show it.
struct SettingRow: Encodable, Sendable {
  let key, title: String
  let help, text, `default`: String?
  let source: String
  let choices: [String]
  let lowerBound, upperBound: String?
  let expectation: String
  let isSecret: Bool
  let issue: String?

  init(_ setting: any DeclaredSetting) {
    key = setting.key
    title = Self.title(of: setting.key)
    help = setting.help
    isSecret = setting.isSecret
    text = isSecret ? nil : setting.text
    `default` = isSecret ? nil : setting.defaultText
    source = setting.source.description
    choices = setting.choices
    (lowerBound, upperBound) = (setting.lowerBound, setting.upperBound)
    expectation = setting.expectation
    issue = setting.issue?.description
  }

  private enum CodingKeys: CodingKey {
    case key, title, help, text, `default`, source, choices, lowerBound, upperBound, expectation
    case isSecret, issue
  }

  // An optional member that is nil would be missing otherwise.
  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(key, forKey: .key)
    try members.encode(title, forKey: .title)
    try members.encode(help, forKey: .help)
    try members.encode(text, forKey: .text)
    try members.encode(`default`, forKey: .default)
    try members.encode(source, forKey: .source)
    try members.encode(choices, forKey: .choices)
    try members.encode(lowerBound, forKey: .lowerBound)
    try members.encode(upperBound, forKey: .upperBound)
    try members.encode(expectation, forKey: .expectation)
    try members.encode(isSecret, forKey: .isSecret)
    try members.encode(issue, forKey: .issue)
  }

  /// "mail.cacheSeconds" as "Cache seconds".
  private static func title(of key: String) -> String {
    let name = key.split { "./".contains($0) }.last ?? key[...]
    var words = ""
    for character in name {
      let startsWord = character.isUppercase && words.last?.isLowercase == true
      words += startsWord ? " \(character.lowercased())" : character == "_" ? " " : "\(character)"
    }
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}

extension DeclaredSetting {
  /// Whether an override decides the value, so that an assignment would not show.
  var isOverridden: Bool { [.managed, .launchArgument, .environment].contains(source) }
}

/// The tags of settings, by which two editors notice each other.
///
/// The tag of a secret has nothing of its value: only the number of its changes under a key of this
/// process.
struct SettingTags: Sendable {
  private let key = SymmetricKey(size: .bits256)

  func tag(of setting: any DeclaredSetting, changes: Int) -> String {
    let state = [setting.key, setting.source.description, "\(setting.isStored)"]
    let digest: [UInt8]
    if setting.isSecret {
      digest = Array(
        HMAC<SHA256>.authenticationCode(for: message(state + ["\(changes)"]), using: key))
    } else {
      let texts = [setting.text, setting.issue?.description].map { $0.map { "=\($0)" } ?? "" }
      digest = Array(SHA256.hash(data: message(state + texts)))
    }
    return "\"\(Data(digest.prefix(12)).base64EncodedString())\""
  }

  /// With the lengths of its parts, so that no two lists of parts have one message.
  private func message(_ parts: [String]) -> Data {
    Data(parts.map { "\($0.utf8.count):\($0)" }.joined().utf8)
  }
}
