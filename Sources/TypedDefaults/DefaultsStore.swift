public import Foundation

/// A subclass of `UserDefaults` that keeps settings somewhere else, and works with the library.
///
/// Any subclass is a store: the library calls `object(forKey:)`, `set(_:forKey:)`, `removeObject(forKey:)`,
/// `register(defaults:)` and `synchronize()`. A subclass that also conforms to this protocol has its changes
/// heard at once, and its reads as fast as those of the library's own stores. It must do two things:
///
/// - Return what is stored from ``storedObject(forKey:)``.
/// - Call ``announceChange(of:telling:)`` after each change of what `object(forKey:)` returns, whoever made it. Until
///   then the library may return a value that it has decoded before.
///
/// Everything else has a default. <doc:AStoreOfYourOwn> shows a whole subclass.
public protocol DefaultsStore: UserDefaults {
  /// Returns what is stored under a key, also if a launch argument hides it.
  ///
  /// - Parameter key: The name of the key.
  /// - Returns: The stored object; nil if there is at most a registered default.
  func storedObject(forKey key: String) -> Any?

  /// Waits until each change made so far is saved; `flush()` calls this method.
  ///
  /// By default it calls `synchronize()`.
  ///
  /// - Throws: A ``DefaultsIssue`` of kind ``DefaultsIssue/Kind/saveFailed`` that names the cause.
  func saveChanges() throws

  /// Begins a transaction on the calling thread.
  ///
  /// Save the changes that this thread makes from now on as one step, when ``endTransaction()`` is called.
  /// They are in memory at once. If the transaction fails, the library sets back what it has changed before
  /// the end. By default this method does nothing.
  func beginTransaction()

  /// Ends the transaction of the calling thread, and has its changes saved.
  ///
  /// By default this method does nothing.
  func endTransaction()

  /// Returns a number that another one replaces with each change of a key.
  ///
  /// `withLock` asks for the revision, then reads and calls the body, and then calls
  /// ``setObject(_:forKey:ifStillAt:)``. By default there is no revision.
  ///
  /// - Parameter key: The name of the key.
  /// - Returns: The revision; nil if only this program can change the key at present.
  func revision(forKey key: String) -> Int64?

  /// Stores an object if what is stored has not changed since a revision.
  ///
  /// Return `true` also if the object cannot be stored at all, and report that: after `false`, `withLock` reads
  /// and calls its body again. The default calls `set(_:forKey:)` or `removeObject(forKey:)`.
  ///
  /// - Parameters:
  ///   - object: The object; nil to remove what is stored.
  ///   - key: The name of the key.
  ///   - revision: What ``revision(forKey:)`` has returned.
  /// - Returns: Whether the object is stored. If not, `object(forKey:)` returns what was stored meanwhile.
  func setObject(_ object: Any?, forKey key: String, ifStillAt revision: Int64) -> Bool
}

extension DefaultsStore {
  public func saveChanges() throws {
    guard synchronize() else { throw DefaultsIssue.notSynchronized }
  }

  public func beginTransaction() {}

  public func endTransaction() {}

  public func revision(forKey key: String) -> Int64? { nil }

  public func setObject(_ object: Any?, forKey key: String, ifStillAt revision: Int64) -> Bool {
    put(object.map(PropertyListObject.init), forKey: key)
    return true
  }

  /// Tells `updates` and Observation that the values of keys have changed.
  ///
  /// Call it once the new values are in memory. Every read from now on decodes anew.
  ///
  /// - Parameters:
  ///   - keys: The names of the keys.
  ///   - perform: Performs the call of the listeners, by default at once. Listeners may do anything, also wait for
  ///     your store. On a thread that the store needs, leave it to a queue: `{ queue.async(execute: $0) }`.
  public func announceChange(
    of keys: some Sequence<String>,
    telling perform: (_ tell: @escaping @Sendable () -> Void) -> Void = { $0() }
  ) {
    let states = Store.of(self).knownStates(of: keys)
    for state in states { state.forgetDecoded() }
    perform {
      DeferredCalls.collecting {
        for state in states { state.announceChange() }
      }
    }
  }
}
