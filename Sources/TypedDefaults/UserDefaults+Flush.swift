public import Foundation

extension UserDefaults {
  /// Waits until every change that this library has made so far is saved.
  ///
  /// Call this method where your program must know that its changes are saved. Otherwise the
  /// library saves them in the background, and at the latest when the program ends.
  ///
  /// On Linux and Android the changes are on disk when this method returns, and survive a power
  /// failure. The method blocks its thread until then, usually for milliseconds and for ten seconds
  /// at most. In an actor or on the main thread, call it where that wait does not hurt. On other
  /// platforms it calls `synchronize()`. For a subclass that conforms to ``DefaultsStore``, it calls
  /// ``DefaultsStore/saveChanges()``.
  ///
  /// You can call this method on several threads, and inside the body of `withLock`.
  ///
  /// - Throws: A ``DefaultsIssue`` of kind ``DefaultsIssue/Kind/saveFailed`` if the changes could
  ///   not be saved. They are kept in memory, and the library tries again. A ``DefaultsIssue`` of
  ///   kind ``DefaultsIssue/Kind/unencodableValue`` if a value has no form that can be saved.
  public func flush() throws {
    try Store.of(self).backend.flush(self)
  }
}
