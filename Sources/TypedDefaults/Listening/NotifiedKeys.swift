#if TYPED_DEFAULTS_PLATFORM_SAVES
  internal import Foundation
  internal import Synchronization

  /// The keys of which only the notification of `UserDefaults` tells: on Apple platforms those with
  /// dots, which key-value observing cannot observe, and elsewhere all.
  ///
  /// The notification names no key, so that each is looked at. It tells of no other program's
  /// changes: for them, the keys are looked at when this program becomes active.
  final class NotifiedKeys: Sendable {
    static let all = NotifiedKeys()

    /// As text, so that no framework for user interfaces is linked.
    private static let activations = [
      "NSApplicationDidBecomeActiveNotification", "UIApplicationDidBecomeActiveNotification",
      "WKApplicationDidBecomeActiveNotification", "NSExtensionHostDidBecomeActiveNotification",
    ]

    private struct Key: @unchecked Sendable {  // `UserDefaults` is documented to be thread-safe.
      let name: String
      weak var userDefaults: UserDefaults?
      let announce: @Sendable () -> Void
      let latest = LatestLook<PropertyListObject?>()

      func isChanged() -> Bool {
        guard let userDefaults else { return false }
        return latest.changes { userDefaults.object(forKey: name).map(PropertyListObject.init) }
      }
    }

    private let keys = Mutex<[Key]>([])

    private init() {
      hear(UserDefaults.didChangeNotification) { self.look() }
      for name in Self.activations {
        // It is posted on the main thread, where no other program's change is announced.
        hear(Notification.Name(name)) { Thread.detachNewThread { self.look() } }
      }
    }

    private func hear(_ name: Notification.Name, _ action: @escaping @Sendable () -> Void) {
      _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
        action()
      }
    }

    func add(
      _ name: String, of userDefaults: UserDefaults, announce: @escaping @Sendable () -> Void
    ) {
      keys.withLock {
        $0.append(Key(name: name, userDefaults: userDefaults, announce: announce))
      }
    }

    private func look() {
      let keys = keys.withLock { keys in
        keys.removeAll { $0.userDefaults == nil }
        return keys
      }
      for key in keys where key.isChanged() { key.announce() }
    }
  }
#endif
