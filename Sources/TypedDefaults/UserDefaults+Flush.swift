public import Foundation

extension UserDefaults {
  /// Waits until every change that this library has made so far is saved.
  ///
  /// You do not have to call this method. Changes are saved in the background, and at the latest when
  /// the program ends. Call it where your program must know that they are saved.
  ///
  /// On Linux and Android the changes are on disk when this method returns, and survive a power failure.
  /// On other platforms this method calls `synchronize()` and promises what that method promises: on
  /// Apple platforms, that pending updates of the system's defaults database are done.
  ///
  /// A subclass that is a ``DefaultsStore`` says itself what saving is: see ``DefaultsStore/saveChanges()``.
  ///
  /// You can call it from several threads, and inside the body of a `withLock`.
  ///
  /// - Throws: ``DefaultsIssue`` of kind ``DefaultsIssue/Kind/saveFailed`` if they could not be saved:
  ///   they stay in memory and are part of the next save. Of kind
  ///   ``DefaultsIssue/Kind/unencodableValue`` if one of them has no form that can be saved.
  public func flush() throws {
    try Store.of(self).kind.flush(self)
  }
}
