#if canImport(Darwin)
  internal import Foundation

  /// Hears the changes of one key by key-value observing, which announces those of other programs,
  /// too.
  final class KeyObserver: NSObject, @unchecked Sendable {  // It is immutable.
    /// The object that key-value observing does not retain. The observer is never removed, because
    /// a removal while another thread writes can end the process: this reference cycle is on
    /// purpose.
    private let observed: UserDefaults
    private let announce: @Sendable () -> Void

    private init(_ observed: UserDefaults, announce: @escaping @Sendable () -> Void) {
      (self.observed, self.announce) = (observed, announce)
    }

    /// In a key path a dot separates keys, and @ begins an operator.
    static func mayObserve(_ key: String) -> Bool {
      !key.isEmpty && !key.contains(".") && !key.hasPrefix("@")
    }

    static func observe(
      _ key: String, of userDefaults: UserDefaults, announce: @escaping @Sendable () -> Void
    ) {
      let observer = KeyObserver(userDefaults, announce: announce)
      _ = Unmanaged.passRetained(observer)
      userDefaults.addObserver(observer, forKeyPath: key, options: [], context: nil)
    }

    override func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      announce()
    }
  }
#endif
