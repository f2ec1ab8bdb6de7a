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
  /// You can call this method on several threads, and inside the body of `withLock`.
  ///
  /// - Throws: A ``DefaultsIssue`` of kind ``DefaultsIssue/Kind/saveFailed`` if the changes could
  ///   not be saved. They are kept in memory, and the library tries again. A ``DefaultsIssue`` of
  ///   kind ``DefaultsIssue/Kind/unencodableValue`` if a value has no form that can be saved.
  public func flush() throws {
    let backend = Store.of(self).backend
    if let saver = backend.saver {
      try saver.flush()
    } else if let subclass = backend.subclass {
      try subclass.saveChanges()
    } else if !synchronize() {
      throw DefaultsIssue.notSynchronized
    }
  }
}
