import Foundation
import TypedDefaults

/// The kinds of store that the model is compared with.
enum StoreKind: String, CaseIterable {
  case inMemory, saved, foundation, subclass, defaultsStore

  #if TYPED_DEFAULTS_PLATFORM_SAVES
    private var isOurs: Bool { self == .inMemory }
  #else
    private var isOurs: Bool { self == .inMemory || self == .saved }
  #endif

  var isFile: Bool { self == .saved || self == .foundation }
  var seesVariables: Bool { self != .inMemory }
  var hearsRawChanges: Bool { isOurs || self == .defaultsStore }
  var undoesRawChanges: Bool { isOurs }
  var mayLack: Bool { isFile && Shortage.isPossible }

  /// Foundation's class lacks no permission where root tests it, who would have to become another user, for
  /// whom Foundation begins another memory.
  var shortages: [Shortage] {
    self == .foundation && geteuid() == 0
      ? [.descriptors] : [.descriptors, .descriptors, .permission]
  }

  /// Whether the sequences leave out an operation, because nobody tells the library what it needs to know.
  func leavesOut(_ operation: Operation) -> Bool {
    switch operation {
    // A plain subclass does not tell what an argument hides, or whether an object is registered or stored.
    case .register, .raw(_, .int(4)?), .raw(_, .int(3)?), .raw(_, .int(1)?),
      .argument
    where self == .subclass:
      true
    // Foundation's class does not tell of an argument by a former name that comes in mid-run.
    case .argument(let key, _):
      self == .foundation
        && ModelSettings.declared("").contains { $0.formerKeys.contains { key.hasSuffix($0) } }
    case .transaction(let operations, _), .exclusively(let operations, _):
      operations.contains(where: leavesOut)
    default: false
    }
  }

  /// Whether a store of one's own hides the default that somebody else has registered.
  func hides(_ setting: Model.Setting, in model: Model) -> Bool {
    let value = model.value(setting)
    return self == .defaultsStore && model.source(setting) == "registered"
      && model.arguments[setting.key] != nil
      && !model.settings.contains { $0.key == setting.key && $0.default == value }
  }

  func make(seed: Int) -> UserDefaults {
    switch (self, seed.isMultiple(of: 2)) {
    case (.inMemory, _): .inMemory()
    case (.saved, true): .saved
    case (.saved, false): .saved(suiteName: "model")
    case (.foundation, true): .standard
    case (.foundation, false): UserDefaults(suiteName: "model")!
    case (.subclass, _): PlainDefaults()
    case (.defaultsStore, _): TellingDefaults()
    }
  }
}

/// A subclass that keeps its objects itself.
class PlainDefaults: UserDefaults {
  private var values: [String: Any] = [:]
  private var registered: [String: Any] = [:]

  init() { super.init(suiteName: "PlainDefaults")! }

  override func object(forKey key: String) -> Any? {
    volatileDomain(forName: Self.argumentDomain)[key] ?? values[key] ?? registered[key]
  }

  func storedObject(forKey key: String) -> Any? { values[key] }
  override func set(_ value: Any?, forKey key: String) { values[key] = value }
  override func removeObject(forKey key: String) { set(nil as Any?, forKey: key) }
  override func register(defaults: [String: Any]) { registered.merge(defaults) { $1 } }
  override func synchronize() -> Bool { true }
}

/// The same, which tells of its changes.
final class TellingDefaults: PlainDefaults, DefaultsStore {
  override func set(_ value: Any?, forKey key: String) {
    super.set(value, forKey: key)
    announceChange(of: [key])
  }

  override func register(defaults: [String: Any]) {
    super.register(defaults: defaults)
    announceChange(of: defaults.keys)
  }

  override func setVolatileDomain(_ domain: [String: Any], forName name: String) {
    let old = volatileDomain(forName: name)
    super.removeVolatileDomain(forName: name)
    super.setVolatileDomain(domain, forName: name)
    announceChange(of: Set(old.keys).union(domain.keys))
  }
}
