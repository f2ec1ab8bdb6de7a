import Foundation
import TypedDefaults

/// A setting of any type, as the text that a person reads and types.
struct AnySetting {
  let key: String
  let accepted: String
  let defaultText: String?
  let text: () -> String?
  let set: (String) -> Bool
  let reset: () -> Void
}

extension AnySetting {
  init<T>(
    _ setting: WrappedDefault<T>, accepts accepted: String,
    where isAccepted: @escaping (T) -> Bool = { _ in true }
  ) {
    self.init(
      key: setting.key, accepted: accepted, defaultText: setting.defaultValue.text,
      text: { setting.wrappedValue.text },
      set: {
        guard let value = T(text: $0), isAccepted(value) else { return false }
        setting.wrappedValue = value
        return true
      }, reset: setting.reset)
  }

  init<T>(_ setting: WrappedDefaultOptional<T>, accepts accepted: String) {
    self.init(
      key: setting.key, accepted: accepted, defaultText: nil,
      text: { setting.wrappedValue?.text },
      set: {
        guard let value = T(text: $0) else { return false }
        setting.wrappedValue = value
        return true
      }, reset: setting.reset)
  }
}

extension UserDefaultsSerializable {
  /// The stored form, which is already text for enums and `Codable` types.
  fileprivate var text: String {
    if let url = self as? URL { return url.absoluteString }  // stored as an archive
    return switch try? storedValue.propertyListObject() {
    case let date as Date: date.ISO8601Format()
    case let list as [Any]: list.map { "\($0)" }.joined(separator: ",")
    case let object: object.map { "\($0)" } ?? ""
    }
  }

  /// Every type reads text, because launch arguments are text; only a list is several of them.
  fileprivate init?(text: String) {
    let list = text.split(separator: /, */).map(String.init)
    guard
      let stored = StoredValue(propertyListObject: text) ?? StoredValue(propertyListObject: list)
    else { return nil }
    self.init(storedValue: stored)
  }
}
