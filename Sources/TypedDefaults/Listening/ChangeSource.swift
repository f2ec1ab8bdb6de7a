#if !canImport(Darwin)
  internal import Foundation

  /// Announces the persistent-domain calls, the only changes for which Foundation posts a
  /// notification.
  struct ChangeSource: Sendable {
    init(key: String, userDefaults: UserDefaults, store: Store, state: KeyState) {
      _ = Self.isStarted
    }

    /// Does nothing: one registration serves all keys.
    func start() {}

    // The notification's object is the receiver of the call, not the owner of the domain. All
    // listeners are told, because a needless call costs a listener only one read.
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
