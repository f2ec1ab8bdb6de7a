internal import Foundation

/// A variable with an object for each thread, which it does not retain.
struct ThreadVariable<Object: AnyObject>: Sendable {
  #if canImport(Darwin) || os(Linux) || os(Android)
    private let key = {
      var key = pthread_key_t()
      pthread_key_create(&key, nil)
      return key
    }()

    var object: Object? {
      get { pthread_getspecific(key).map { Unmanaged.fromOpaque($0).takeUnretainedValue() } }
      nonmutating set {
        pthread_setspecific(key, newValue.map { Unmanaged.passUnretained($0).toOpaque() })
      }
    }
  #else
    // Works on every platform, but is twenty times as slow.
    private let key = UUID()

    var object: Object? {
      get { Thread.current.threadDictionary[key] as? Object }
      nonmutating set { Thread.current.threadDictionary[key] = newValue }
    }
  #endif
}
