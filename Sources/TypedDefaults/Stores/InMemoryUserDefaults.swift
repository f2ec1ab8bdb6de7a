internal import Foundation
internal import Synchronization

/// A `UserDefaults` with a memory of its own.
final class InMemoryUserDefaults: UserDefaults {
  private struct Contents {
    var stored: [String: PropertyListObject] = [:]
    var registered: [String: PropertyListObject] = [:]
  }

  private let contents = Mutex(Contents())

  let store = Store.standalone()

  init() {
    // A name of its own, so that what is not overridden finds nothing.
    super.init(suiteName: "TypedDefaults.\(UUID())")!
  }

  override func object(forKey key: String) -> Any? {
    contents.withLock { $0.stored[key] ?? $0.registered[key] }?.object
  }

  func isStored(_ key: String) -> Bool {
    contents.withLock { $0.stored[key] != nil }
  }

  override func set(_ value: Any?, forKey key: String) {
    guard let value else { return removeObject(forKey: key) }
    do {
      let object = try PropertyListObject(validating: value)
      contents.withLock { $0.stored[key] = object }
      store.state(of: key).announceChange()
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
    contents.withLock { $0.stored[key] = nil }
    store.state(of: key).announceChange()
  }

  override func register(defaults registrationDictionary: [String: Any]) {
    let objects = registrationDictionary.compactMapValues {
      try? PropertyListObject(validating: $0)
    }
    contents.withLock { $0.registered.merge(objects) { $1 } }
  }

  override func dictionaryRepresentation() -> [String: Any] {
    contents.withLock { $0.registered.merging($0.stored) { $1 } }.mapValues(\.object)
  }

  @discardableResult
  override func synchronize() -> Bool { true }
}
