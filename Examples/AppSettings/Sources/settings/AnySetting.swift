import Foundation
import TypedDefaults

/// A setting of any type, as the text that a person reads and types.
struct AnySetting {
  let key: String
  let accepted: String
  let defaultText: String
  let text: () -> String
  /// Returns whether the text is a value of the setting, which else stays as it is.
  let set: (String) -> Bool
  let reset: () -> Void

  init<T>(
    _ setting: WrappedDefault<T>, accepts accepted: String,
    where isAccepted: @escaping (T) -> Bool = { _ in true }
  ) {
    key = setting.key
    self.accepted = accepted
    defaultText = setting.defaultValue.text
    text = { setting.wrappedValue.text }
    set = {
      guard let value = T(text: $0), isAccepted(value) else { return false }
      setting.wrappedValue = value
      return true
    }
    reset = setting.reset
  }

  init<T>(_ setting: WrappedDefaultOptional<T>, accepts accepted: String) {
    key = setting.key
    self.accepted = accepted
    defaultText = "(none)"
    text = { setting.wrappedValue?.text ?? "(none)" }
    set = {
      guard let value = T(text: $0) else { return false }
      setting.wrappedValue = value
      return true
    }
    reset = setting.reset
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

  /// Every type reads its values from text, as it must read launch arguments. Only a list needs a text
  /// for each element.
  fileprivate init?(text: String) {
    let list = text.split(separator: /, */).map(String.init)
    guard
      let stored = StoredValue(propertyListObject: text) ?? StoredValue(propertyListObject: list)
    else { return nil }
    self.init(storedValue: stored)
  }
}
