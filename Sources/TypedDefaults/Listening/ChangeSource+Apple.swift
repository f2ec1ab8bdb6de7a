#if canImport(Darwin)
  internal import Foundation

  /// The changes of a key that the system announces, because they do not come by this library.
  ///
  /// Key-value observing announces all changes, even of other programs. It cannot observe keys of
  /// some names, and some subclasses do not support it. There the change notification announces
  /// this program's changes.
  struct ChangeSource: @unchecked Sendable {  // `UserDefaults` is documented to be thread-safe.
    let key: String
    let userDefaults: UserDefaults
    let store: Store
    let state: KeyState

    /// Observes the key, unless another declaration does so already.
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

    /// The objects that key-value observing does not retain. The observer is never removed, because
    /// a removal while another thread writes can end the process: this reference cycle is on
    /// purpose.
    private var observed: ChangeSource?

    fileprivate init(_ source: ChangeSource) {
      key = source.key
      userDefaults = source.userDefaults
      state = source.state
      super.init()
      if source.state.hearsEveryChange { return }
      // In a key path a dot separates keys, and @ begins an operator.
      let isKeyPath = !key.isEmpty && !key.contains(".") && !key.hasPrefix("@")
      if isKeyPath, !source.store.kind.isCustom {
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

    /// Called for a change of any key.
    @objc private func userDefaultsDidChange() {
      guard let userDefaults, let state else { return }
      let isChanged = latest.changes {
        userDefaults.object(forKey: key).map(PropertyListObject.init)
      }
      if isChanged { state.announceChange() }
    }
  }
#endif
