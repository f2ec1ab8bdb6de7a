public import Foundation

extension UserDefaults {
  /// Returns when every change made so far by this library is saved, safe even from a power failure.
  ///
  /// There is no need to call this: changes are saved by themselves, in the background at once and at
  /// the latest when the program ends. It is for a program that must know that they are.
  ///
  /// It is safe to call from several threads, and inside the body of a `withLock`.
  ///
  /// - Throws: ``DefaultsIssue`` of kind ``DefaultsIssue/Kind/saveFailed`` if they could not be saved:
  ///   they stay in memory and are part of the next save. Of kind
  ///   ``DefaultsIssue/Kind/unencodableValue`` if one of them has no form that can be saved.
  public func flush() throws {
    try Store.of(self).kind.flush(self)
  }
}
