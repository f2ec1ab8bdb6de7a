#if canImport(Darwin)
  internal import Foundation

  /// Hears the changes of one key that do not come by this library.
  ///
  /// Key-value observing announces all changes, even of other programs. It cannot observe keys of
  /// some names, and some subclasses do not support it. There the change notification announces
  /// this program's changes.
  final class KeyObserver: NSObject, @unchecked Sendable {  // `latest` is its own lock.
    private let key: String
    private weak var userDefaults: UserDefaults?
    private let announce: @Sendable () -> Void
    private let latest = LatestLook<PropertyListObject?>()

    /// The object that key-value observing does not retain. The observer is never removed, because
    /// a removal while another thread writes can end the process: this reference cycle is on
    /// purpose.
    private var observed: UserDefaults?

    /// - Parameter isObservable: Whether the object supports key-value observing.
    init(
      key: String, of userDefaults: UserDefaults, isObservable: Bool,
      announce: @escaping @Sendable () -> Void
    ) {
      self.key = key
      self.userDefaults = userDefaults
      self.announce = announce
      super.init()
      // In a key path a dot separates keys, and @ begins an operator.
      let isKeyPath = !key.isEmpty && !key.contains(".") && !key.hasPrefix("@")
      if isKeyPath, isObservable {
        observed = userDefaults
        userDefaults.addObserver(self, forKeyPath: key, options: [], context: nil)
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
      announce()
    }

    /// Called for a change of any key.
    @objc private func userDefaultsDidChange() {
      guard let userDefaults else { return }
      let isChanged = latest.changes {
        userDefaults.object(forKey: key).map(PropertyListObject.init)
      }
      if isChanged { announce() }
    }
  }
#endif
