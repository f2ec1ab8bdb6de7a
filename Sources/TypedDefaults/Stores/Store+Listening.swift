internal import Foundation
internal import Synchronization

extension Store {
  #if TYPED_DEFAULTS_PLATFORM_SAVES
    /// Begins to observe the changes of a key that do not come by this library.
    func listen(to state: KeyState, in userDefaults: UserDefaults) {
      guard !hearsEveryChange, listenedKeys.withLock({ $0.insert(state.key).inserted })
      else { return }
      let (key, shared) = (state.key, SendableDefaults(userDefaults))
      let announce = { @Sendable [keys] in
        for state in keys.states(of: CollectionOfOne(key)) { state.announceChange() }
      }
      // Without a lock, because the system may deliver other notifications meanwhile.
      DeferredCalls.perform { [backend] in
        #if canImport(Darwin)
          if backend is SystemSuite, KeyObserver.mayObserve(key) {
            return KeyObserver.observe(key, of: shared.instance, announce: announce)
          }
        #endif
        NotifiedKeys.all.add(key, of: shared.instance, announce: announce)
      }
    }
  #else
    /// Does nothing: one observer serves all keys of all stores.
    @inline(__always) func listen(to state: KeyState, in userDefaults: UserDefaults) {}

    /// Hears the calls for whole domains, the only changes for which Foundation posts a
    /// notification, and what subclasses post.
    ///
    /// The notification's object is the receiver of the call, not the owner of the domain. So all
    /// listeners are told: a needless call costs a listener only one read.
    static let hearsNotifications: Void = {
      _ = NotificationCenter.default.addObserver(
        forName: UserDefaults.didChangeNotification, object: nil, queue: nil
      ) { notification in
        guard !(notification.object is MemoryUserDefaults) else { return }
        announceChangeOfAll()
      }
    }()
  #endif
}
