public import Foundation

/// A subclass of `UserDefaults` that keeps settings somewhere else and announces their changes.
///
/// Any subclass is a store: the library calls `object(forKey:)`, `set(_:forKey:)`,
/// `removeObject(forKey:)`, `register(defaults:)`, `synchronize()` and, for launch arguments,
/// `volatileDomain(forName:)`, on any thread. A subclass that conforms to this protocol is read as fast
/// as the library's own stores, and its changes are observed. This one keeps values in memory, and
/// takes the changes of a server:
///
/// ```swift
/// final class ServerDefaults: UserDefaults, DefaultsStore {
///   private let lock = NSLock()
///   private var values: [String: Any] = [:]
///   private let listeners = DispatchQueue(label: "Listeners")
///
///   init() {
///     super.init(suiteName: "ServerDefaults.\(UUID())")!
///   }
///
///   func storedObject(forKey key: String) -> Any? {
///     lock.withLock { values[key] }
///   }
///
///   override func object(forKey key: String) -> Any? {
///     storedObject(forKey: key)
///   }
///
///   override func set(_ value: Any?, forKey key: String) {
///     change(key, to: value)
///   }
///
///   override func removeObject(forKey key: String) {
///     change(key, to: nil)
///   }
///
///   private func change(_ key: String, to value: Any?) {
///     lock.withLock { values[key] = value }
///     announceChange(of: [key])
///     // Send the change to the server in the background.
///   }
///
///   /// Call this method when the server announces changes.
///   func serverDidChange(_ changes: [String: Any]) {
///     lock.withLock { values.merge(changes) { $1 } }
///     announceChange(of: changes.keys) {
///       listeners.async(execute: $0)
///     }
///   }
/// }
/// ```
///
/// Follow four rules:
///
/// 1. Answer reads from memory, because any thread may ask at any time.
/// 2. Change memory first, then call ``announceChange(of:telling:)`` with the changed keys. Until that
///    call, a read may return a value that the library decoded before.
/// 3. Call it with no lock held, because it runs the listeners. If your network thread both receives
///    changes and confirms yours, give `telling:` a queue: a listener that calls
///    ``Foundation/UserDefaults/flush()`` on that thread would wait for itself.
/// 4. Do not let a change from the server replace a change that you have not sent yet.
///
/// A launch argument overrides the settings of a subclass too, so ``storedObject(forKey:)`` must not
/// return it. Report a change that fails in the background by ``DefaultsIssue/report()``, once for each
/// outage. All requirements but the first have a default implementation.
public protocol DefaultsStore: UserDefaults {
  /// Returns the stored object of a key, even if a launch argument overrides it.
  ///
  /// Answer from memory, because any thread may ask at any time.
  ///
  /// - Parameter key: The name of the key.
  /// - Returns: The object, or `nil` if nothing is stored. A registered default is not stored.
  func storedObject(forKey key: String) -> Any?

  /// Waits until each change made so far is saved.
  ///
  /// ``Foundation/UserDefaults/flush()`` calls this method on the thread of its caller, which
  /// waits. Set a limit to the wait. By default, this method calls `synchronize()`.
  ///
  /// - Throws: A ``DefaultsIssue`` of kind ``DefaultsIssue/Kind/saveFailed`` that names the cause.
  func saveChanges() throws

  /// Waits until each change made so far is saved, without blocking a thread of the caller.
  ///
  /// The form of ``Foundation/UserDefaults/flush(isolation:)``. By default, this method calls the one
  /// that blocks, on a thread of the library.
  ///
  /// - Parameter isolation: The actor of the caller.
  /// - Throws: As the method that blocks, or a `CancellationError`.
  func saveChanges(isolation: isolated (any Actor)?) async throws

  /// Begins a transaction on the calling thread.
  ///
  /// Keep the changes that this thread makes from now on in memory, and save them as one step in
  /// ``endTransaction()``. If the transaction fails, the library sets the old values before it ends
  /// the transaction. By default, this method does nothing.
  func beginTransaction()

  /// Ends the transaction of the calling thread, and saves its changes.
  ///
  /// By default, this method does nothing.
  func endTransaction()

  /// Runs a body as a transaction that commits only if nobody else has changed what it used.
  ///
  /// ``Foundation/UserDefaults/exclusively(_:)`` calls this method, unless it is called inside another
  /// `exclusively` of this store and thread, of which it is part. In a store that machines share,
  /// note each key that the calling thread reads and writes inside the body. Commit the changes if
  /// none of these keys has changed meanwhile. If one has, run the body again. By default, the body
  /// runs once, between ``beginTransaction()`` and ``endTransaction()``.
  ///
  /// - Parameter body: Reads and changes settings. If it throws, the library restores the old values
  ///   before the body returns.
  /// - Throws: The error of the body, or a ``DefaultsIssue`` if the changes cannot be committed now.
  ///   Then nothing is changed.
  func runExclusively(_ body: () throws -> Void) throws

  /// Returns the revision of a key: a number that differs after each change.
  ///
  /// `withLock` asks for the revision, then reads the value and calls its body, and then calls
  /// ``setObject(_:forKey:ifStillAt:)``. By default, the result is `nil`.
  ///
  /// - Parameter key: The name of the key.
  /// - Returns: The revision, or `nil` if only this program can change the key. `withLock` then
  ///   calls `set(_:forKey:)`.
  /// - Throws: A ``DefaultsIssue`` if the revision is unknown now, as in an outage. The library
  ///   reports the issue, and `withLock` changes nothing.
  func revision(forKey key: String) throws -> Int64?

  /// Stores an object if the key is still at a revision.
  ///
  /// After `false`, `withLock` reads the new value and calls its body again. By default, this
  /// method calls `set(_:forKey:)` or `removeObject(forKey:)`.
  ///
  /// - Parameters:
  ///   - object: The object, or `nil` to remove the stored object.
  ///   - key: The name of the key.
  ///   - revision: The result of ``revision(forKey:)``.
  /// - Returns: `true` if the object is stored. `false` if another change came first:
  ///   `object(forKey:)` then returns the newer object.
  /// - Throws: A ``DefaultsIssue`` if the object cannot be stored, or not now. The library reports
  ///   the issue, and `withLock` changes nothing.
  func setObject(_ object: Any?, forKey key: String, ifStillAt revision: Int64) throws -> Bool
}

extension DefaultsStore {
  public func saveChanges() throws {
    try synchronizeOrThrow()
  }

  public func saveChanges(isolation: isolated (any Actor)?) async throws {
    let shared = SendableDefaults(self)
    try await AwaitedWork.wait(isolation: isolation) {
      try (shared.instance as? any DefaultsStore)?.saveChanges()
    }
  }

  public func beginTransaction() {}

  public func endTransaction() {}

  public func runExclusively(_ body: () throws -> Void) throws {
    beginTransaction()
    defer { endTransaction() }
    try body()
  }

  public func revision(forKey key: String) throws -> Int64? { nil }

  public func setObject(_ object: Any?, forKey key: String, ifStillAt revision: Int64) throws
    -> Bool
  {
    put(object.map(PropertyListObject.init), forKey: key)
    return true
  }

  /// Announces to `updates`, `onChange` and Observation that the values of keys have changed.
  ///
  /// Call this method when the new values are in memory, on any thread, while you hold no lock. It
  /// calls the listeners before it returns, unless you pass a function that calls them later.
  ///
  /// > Important: Listeners may wait for your store. If your store needs the calling thread, let a
  /// queue call the listeners: `announceChange(of: keys) { queue.async(execute: $0) }`.
  ///
  /// - Parameters:
  ///   - keys: The names of the keys.
  ///   - perform: A function that calls the listeners. Without it, the library calls them at once.
  public func announceChange(
    of keys: some Sequence<String>,
    telling perform: (_ tell: @escaping @Sendable () -> Void) -> Void = { $0() }
  ) {
    let states = Store.of(self).keys.states(of: keys).filter { $0 !== Store.changing.object }
    for state in states { state.forgetDecoded() }
    perform {
      DeferredCalls.collecting {
        for state in states { state.announceChange() }
      }
    }
  }
}

extension DefaultsIssue {
  static let notSynchronized = Self(
    kind: .saveFailed, key: nil,
    message: """
      The preferences could not be saved: synchronize() returned false. The changes are kept in memory. \
      Call flush() to try again.
      """)

  static let notRun = Self(
    kind: .saveFailed, key: nil,
    message: "The store has not run the body of exclusively(_:). Nothing is changed.")

  static func nested(_ call: String, inside function: String) -> Self {
    Self(
      kind: .saveFailed, key: nil,
      message: """
        \(call) was called inside \(function) of the same store, whose changes are saved after it. The \
        call has changed and saved nothing. Call \(call) outside \(function).
        """)
  }

  static func notStored(key: String, _ error: any Error) -> Self {
    Self(
      kind: .saveFailed, key: key,
      message:
        "The change of \"\(key)\" is not stored: \(cause(error)). The old value is kept. Try again."
    )
  }
}
