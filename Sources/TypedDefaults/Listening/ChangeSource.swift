internal import Foundation
internal import Synchronization

// What the platform tells of the changes of a key that do not go through this library.

#if canImport(Darwin)
  /// Announces what the system tells, which is every change, other programs' too, of a key whose name
  /// key-value observing allows. Of any other key, and to a subclass of `UserDefaults`, it is what is
  /// told by the change notification.
  ///
  /// What varies locks itself.
  final class ChangeSource: NSObject, @unchecked Sendable {
    private let key: String
    private let userDefaults: UserDefaults
    private let state: KeyState
    private let isObservedByKey: Bool
    private let isStarted = Atomic(false)
    private let last = Mutex<PropertyListObject?>(nil)

    init(key: String, userDefaults: UserDefaults, store: Store, state: KeyState) {
      self.key = key
      self.userDefaults = userDefaults
      self.state = state
      // To key-value observing a dot separates keys, and @ begins an operator.
      let isKeyPath = !key.isEmpty && !key.contains(".") && !key.hasPrefix("@")
      isObservedByKey = isKeyPath && !store.isCustom
    }

    func start() {
      guard !isStarted.load(ordering: .relaxed),
        !isStarted.exchange(true, ordering: .acquiringAndReleasing)
      else { return }
      if isObservedByKey {
        userDefaults.addObserver(self, forKeyPath: key, options: [], context: nil)
      } else {
        NotificationCenter.default.addObserver(
          self, selector: #selector(userDefaultsDidChange),
          name: UserDefaults.didChangeNotification, object: nil)
        _ = isChanged()
      }
    }

    deinit {
      if isStarted.load(ordering: .acquiring), isObservedByKey {
        userDefaults.removeObserver(self, forKeyPath: key)
      }
    }

    override func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      state.announceChange()
    }

    /// The notification tells of a change of any key.
    @objc private func userDefaultsDidChange() {
      if isChanged() { state.announceChange() }
    }

    private func isChanged() -> Bool {
      let object = userDefaults.object(forKey: key).map(PropertyListObject.init)
      return last.withLock { last in
        defer { last = object }
        return last != object
      }
    }
  }
#else
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
