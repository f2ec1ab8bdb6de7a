internal import Synchronization

/// The defaults that declarations have registered for one key name. On every platform `UserDefaults`
/// has one table of them for the whole process, the last registration winning.
final class RegisteredDefaults: Sendable {
  private let last = Mutex<PropertyListObject?>(nil)
  private let number = Atomic(0)

  private static let named = Mutex<[String: RegisteredDefaults]>([:])

  static func named(_ key: String) -> RegisteredDefaults {
    named.withLock { named in
      if let registration = named[key] { return registration }
      let registration = RegisteredDefaults()
      named[key] = registration
      return registration
    }
  }

  /// How many different defaults were registered under the name: 2 stands for more, too.
  var numberOfDefaults: Int { number.load(ordering: .relaxed) }

  func note(_ object: PropertyListObject?) {
    guard let object else { return }
    last.withLock {
      if $0 != object { number.store($0 == nil ? 1 : 2, ordering: .relaxed) }
      $0 = object
    }
  }
}
