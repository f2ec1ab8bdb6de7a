internal import Foundation

/// Copies in memory of the stores of settings, each of one moment and made by its first use.
final class StoreCopies {
  private struct Copy {
    let memory: MemoryBackend
    let store: Store
    var instance: MemoryUserDefaults?
  }

  private var copies: [ObjectIdentifier: Copy] = [:]
  /// The keys of the settings in each store.
  private let keys: [ObjectIdentifier: Set<String>]

  init(of settings: [Setting]) {
    keys = settings.reduce(into: [:]) { keys, setting in
      keys[ObjectIdentifier(setting.store), default: []]
        .formUnion([setting.key] + setting.formerKeys.map(\.key))
    }
  }

  private func copy(of store: Store, _ userDefaults: UserDefaults) -> Copy {
    let identifier = ObjectIdentifier(store)
    if let copy = copies[identifier] { return copy }
    let memory = store.backend.copy(
      of: keys[identifier] ?? [], with: Transaction.tokens(in: store), in: userDefaults)
    let copy = Copy(memory: memory, store: Store(memory, keys: memory.keys, original: store))
    copies[identifier] = copy
    return copy
  }

  func store(of setting: Setting) -> Store { copy(of: setting.store, setting.userDefaults).store }

  /// Returns the instance by which a group uses the copy of a store.
  func instance(of userDefaults: UserDefaults) -> UserDefaults {
    let store = Store.of(userDefaults)
    let copy = copy(of: store, userDefaults)
    if let instance = copy.instance { return instance }
    let instance = MemoryUserDefaults(copy.memory, copy.store)
    copies[ObjectIdentifier(store)]?.instance = instance
    return instance
  }
}
