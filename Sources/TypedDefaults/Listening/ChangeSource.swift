#if !canImport(Darwin)
  internal import Foundation

  /// Announces the persistent-domain calls, which are all that Foundation tells of.
  struct ChangeSource: Sendable {
    init(key: String, userDefaults: UserDefaults, store: Store, state: KeyState) {
      _ = Self.isStarted
    }

    /// Does nothing: one registration serves all keys, and costs nothing at rest.
    func start() {}

    // The notification's object is whom the domain's name was told, not whose domain it is. To tell a
    // listener of a change that is none costs it one read, so nothing is compared here.
    private static let isStarted: Void = {
      _ = NotificationCenter.default.addObserver(
        forName: UserDefaults.didChangeNotification, object: nil, queue: nil
      ) { notification in
        guard !(notification.object is MemoryUserDefaults) else { return }
        Store.announceChangeOfAll()
      }
    }()
  }
#endif
