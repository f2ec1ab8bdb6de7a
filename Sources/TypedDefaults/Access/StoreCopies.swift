internal import Foundation

/// Copies in memory of the stores of a group's settings, each of one moment and made by its first use.
final class StoreCopies {
  private let settings: [Setting]
  private var copies: [ObjectIdentifier: MemoryUserDefaults] = [:]

  init(of settings: [Setting]) { self.settings = settings }

  func copy(of userDefaults: UserDefaults) -> UserDefaults {
    let store = Store.of(userDefaults)
    if let copy = copies[ObjectIdentifier(store)] { return copy }
    let keys = settings.filter { $0.store === store }
      .flatMap { [$0.key] + $0.formerKeys.map(\.key) }
    let memory = store.backend.copy(
      of: Set(keys), with: Transaction.tokens(in: store), in: userDefaults)
    memory.keys.follow(store.keys)
    let copy = MemoryUserDefaults(memory)
    copies[ObjectIdentifier(store)] = copy
    return copy
  }
}
