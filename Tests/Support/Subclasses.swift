import Foundation
import TypedDefaults

/// The memory of a store of the tests' own.
class KeptInMemory: UserDefaults {
  private let lock = NSLock()
  private var registered: [String: Any] = [:]
  private var kept: [String: Any] = [:]

  init() { super.init(suiteName: "TypedDefaultsTests.\(UUID())")! }

  /// The objects that are stored.
  var stored: [String: Any] { lock.withLock { kept } }

  override func object(forKey key: String) -> Any? {
    volatileDomain(forName: Self.argumentDomain)[key]
      ?? lock.withLock { kept[key] ?? registered[key] }
  }

  override func register(defaults: [String: Any]) {
    lock.withLock { registered.merge(defaults) { $1 } }
  }

  override func set(_ value: Any?, forKey key: String) { change(key, to: value) }
  // On Linux, Foundation would not call the method above.
  override func set(_ value: Bool, forKey key: String) { change(key, to: value) }
  override func set(_ value: Int, forKey key: String) { change(key, to: value) }
  override func set(_ value: Double, forKey key: String) { change(key, to: value) }
  override func removeObject(forKey key: String) { change(key, to: nil) }
  override func synchronize() -> Bool { true }

  fileprivate func change(_ key: String, to value: Any?) { lock.withLock { kept[key] = value } }
}

/// A subclass of which the library knows nothing.
final class PlainDefaults: KeptInMemory {}

/// A subclass that announces its changes.
final class AnnouncingDefaults: KeptInMemory, DefaultsStore {
  func storedObject(forKey key: String) -> Any? { stored[key] }

  fileprivate override func change(_ key: String, to value: Any?) {
    super.change(key, to: value)
    announceChange(of: [key])
  }
}

/// A subclass that notes what is registered.
final class RegistrationCounter: UserDefaults {
  nonisolated(unsafe) var registered: [[String: Any]] = []
  override func register(defaults: [String: Any]) { registered.append(defaults) }
}

#if canImport(Darwin)
  // `UserDefaults` is `Sendable` in newer interfaces, which a subclass restates.
  extension KeptInMemory: @unchecked Sendable {}
  extension PlainDefaults: @unchecked Sendable {}
  extension AnnouncingDefaults: @unchecked Sendable {}
#endif
