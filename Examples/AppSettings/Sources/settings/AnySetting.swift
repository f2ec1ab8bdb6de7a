import Foundation
import TypedDefaults

/// A setting of any type, as the text that a person reads and types.
struct AnySetting {
  let key: String
  let accepted: String
  let defaultText: String
  let text: () -> String
  let set: (String) throws -> Void
  let reset: () -> Void
  /// Calls back with the text as it is, and after each change.
  let watch: @Sendable (@Sendable (String) -> Void) async -> Void

  init<T>(
    _ setting: WrappedDefault<T>, accepts accepted: String,
    where isAccepted: @escaping (T) -> Bool = { _ in true }
  ) {
    key = setting.key
    self.accepted = accepted
    defaultText = setting.defaultValue.text
    text = { setting.wrappedValue.text }
    set = { setting.wrappedValue = try T(text: $0, where: isAccepted) }
    reset = setting.reset
    watch = { show in for await value in setting.updates { show(value.text) } }
  }

  init<T>(_ setting: WrappedDefaultOptional<T>, accepts accepted: String) {
    key = setting.key
    self.accepted = accepted
    defaultText = "(none)"
    text = { setting.wrappedValue?.text ?? "(none)" }
    set = { setting.wrappedValue = try T(text: $0) { _ in true } }
    reset = setting.reset
    watch = { show in for await value in setting.updates { show(value?.text ?? "(none)") } }
  }
}

extension UserDefaultsSerializable {
  /// The stored form, which is text already where the type is an enum or `Codable`.
  fileprivate var text: String {
    // The stored form of a web address is an archive.
    if let url = self as? URL { return url.absoluteString }
    return switch try? storedValue.propertyListObject() {
    case let date as Date: date.ISO8601Format()
    case let list as [Any]: list.map { "\($0)" }.joined(separator: ",")
    case let object: object.map { "\($0)" } ?? ""
    }
  }

  /// Every type can be read from text, because launch arguments are text. Only a list needs one for
  /// each element.
  fileprivate init(text: String, where isAccepted: (Self) -> Bool) throws {
    let list = text.split(separator: /, */).map(String.init)
    guard
      let stored = StoredValue(propertyListObject: text) ?? StoredValue(propertyListObject: list),
      let value = Self(storedValue: stored), isAccepted(value)
    else { throw CocoaError(.formatting) }
    self = value
  }
}
