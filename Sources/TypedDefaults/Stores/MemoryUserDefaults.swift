internal import Foundation

/// A `UserDefaults` with a memory of its own.
final class MemoryUserDefaults: UserDefaults {
  private let memory = MemoryStore()
  let store: Store

  init() {
    store = Store(memory)
    // A name of its own, so that what is not overridden finds nothing.
    super.init(suiteName: "TypedDefaults.\(UUID())")!
  }

  override func object(forKey key: String) -> Any? {
    memory.visibleObject(key, in: self)?.object
  }

  override func set(_ value: Any?, forKey key: String) {
    guard let value else { return removeObject(forKey: key) }
    do {
      change(key, to: try PropertyListObject(validating: value))
    } catch {
      // Foundation ends the process here.
      DefaultsIssue.unencodable(type(of: value), key: key, error, kept: "the old value stays")
        .report()
    }
  }

  override func set(_ url: URL?, forKey key: String) {
    set(url as Any?, forKey: key)
  }

  override func removeObject(forKey key: String) {
    change(key, to: nil)
  }

  private func change(_ key: String, to object: PropertyListObject?) {
    store.change(store.state(of: key), to: object, in: self)
  }

  override func register(defaults registrationDictionary: [String: Any]) {
    memory.register(
      registrationDictionary.compactMapValues { try? PropertyListObject(validating: $0) })
  }

  override func dictionaryRepresentation() -> [String: Any] {
    memory.visibleObjects.mapValues(\.object)
  }

  @discardableResult
  override func synchronize() -> Bool { true }
}

#if canImport(Darwin)
  // `UserDefaults` is `Sendable` in newer interfaces, which a subclass restates.
  extension MemoryUserDefaults: @unchecked Sendable {}
#endif
