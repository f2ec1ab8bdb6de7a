public import Foundation

extension UserDefaults {
  /// Waits until every change that this library has made so far is saved.
  ///
  /// Call this method where your program must know that its changes are saved. You need no call
  /// otherwise, because the library saves in the background, and at the latest when the program
  /// ends.
  ///
  /// On Linux and Android the changes are on disk when this method returns, and survive a power
  /// failure. Until then it blocks its thread: usually for milliseconds, and for ten seconds at
  /// most. On the main thread and in an actor, call it only where that wait does no harm. On other
  /// platforms this method calls `synchronize()`, and for a subclass that conforms to
  /// ``DefaultsStore``, ``DefaultsStore/saveChanges()``.
  ///
  /// You can call this method on several threads.
  ///
  /// > Important: The method throws inside the body of a ``transaction(_:)``, an ``exclusively(_:)``
  /// or a `withLock` of this store, because the changes of the body are saved after it.
  ///
  /// - Throws: A ``DefaultsIssue`` of kind ``DefaultsIssue/Kind/saveFailed`` if the changes could
  ///   not be saved. They are kept in memory, and the library tries again. A ``DefaultsIssue`` of
  ///   kind ``DefaultsIssue/Kind/unencodableValue`` if a value has no form that can be saved.
  public func flush() throws {
    try Store.of(self).flush(in: self)
  }

  /// Waits until every change that this library has made so far is saved, without blocking a thread
  /// of the caller.
  ///
  /// The task is suspended meanwhile. If it is canceled, it stops waiting, and the changes are saved
  /// all the same. Otherwise the method is as the one that blocks.
  ///
  /// The wait takes a thread of the library's. On Linux and Android, where the system gives none, the call
  /// blocks its own.
  ///
  /// - Parameter isolation: The actor of the caller.
  /// - Throws: A ``DefaultsIssue``, as the method that blocks does, or a `CancellationError`.
  public func flush(isolation: isolated (any Actor)? = #isolation) async throws {
    // A body whose changes are saved after it cannot wait for a task.
    let (backend, shared) = (Store.of(self).backend, SendableDefaults(self))
    if let store = backend.subclass { return try await store.saveChanges(isolation: isolation) }
    try await AwaitedWork.wait(isolation: isolation) { try backend.flush(in: shared.instance) }
  }
}
