internal import Foundation

/// Copies in memory of the stores of settings, each of one moment and made by its first use.
final class StoreCopies {
  private struct Copy {
    let memory: MemoryBackend
    let store: Store
    var instance: MemoryUserDefaults?
  }

  private var copies: [ObjectIdentifier: Copy] = [:]
  private let settings: () -> [Setting]

  /// - Parameter settings: Returns the settings, which only some stores need.
  init(of settings: @escaping () -> [Setting]) { self.settings = settings }

  private func keys(in store: Store) -> Set<String> {
    settings().lazy.filter { $0.store === store }
      .reduce(into: []) { $0.formUnion([$1.key] + $1.formerKeys.map(\.key)) }
  }

  private func copy(of store: Store, _ userDefaults: UserDefaults) -> Copy {
    let identifier = ObjectIdentifier(store)
    if let copy = copies[identifier] { return copy }
    let memory = store.backend.copy(
      of: { self.keys(in: store) }, with: Transaction.tokens(in: store), in: userDefaults)
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
