#if canImport(Darwin)
  internal import Foundation

  /// What the system tells of the changes of a key that do not come by this library.
  ///
  /// Key-value observing tells of each, other programs' too. It does not take every key's name, and not
  /// every subclass supports it: there the change notification tells of this program's changes.
  struct ChangeSource: @unchecked Sendable {  // `UserDefaults` is documented to be thread-safe.
    let key: String
    let userDefaults: UserDefaults
    let store: Store
    let state: KeyState

    /// Returns when the key is observed, by whichever declaration.
    func start() {
      state.observer.make { KeyObserver(self) }
    }
  }

  /// Observes one key of one store, for all its declarations.
  final class KeyObserver: NSObject, @unchecked Sendable {  // Its properties are set once.
    private let key: String
    private weak var userDefaults: UserDefaults?
    private weak var state: KeyState?
    private let latest = LatestObject()

    /// What key-value observing needs and does not hold. To remove an observer while another thread
    /// writes can end the process, so it stays: this is a reference cycle on purpose.
    private var observed: ChangeSource?

    fileprivate init(_ source: ChangeSource) {
      key = source.key
      userDefaults = source.userDefaults
      state = source.state
      super.init()
      let kind = source.store.kind
      if kind is MemoryStore { return }
      // To key-value observing a dot separates keys, and @ begins an operator.
      let isKeyPath = !key.isEmpty && !key.contains(".") && !key.hasPrefix("@")
      if isKeyPath, !kind.isCustom {
        observed = source
        source.userDefaults.addObserver(self, forKeyPath: key, options: [], context: nil)
      } else {
        NotificationCenter.default.addObserver(
          self, selector: #selector(userDefaultsDidChange),
          name: UserDefaults.didChangeNotification, object: nil)
      }
    }

    override func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      state?.announceChange()
    }

    /// The notification tells of a change of any key.
    @objc private func userDefaultsDidChange() {
      guard let userDefaults, let state else { return }
      let isChanged = latest.changes {
        userDefaults.object(forKey: key).map(PropertyListObject.init)
      }
      if isChanged { state.announceChange() }
    }
  }
#endif
