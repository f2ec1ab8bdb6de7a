public import Foundation

extension UserDefaults {
  /// Makes several changes as one: another process, or the next start after a kill, sees all or none.
  ///
  ///     UserDefaults.standard.transaction {
  ///       settings.host = "example.com"
  ///       settings.port = 443
  ///     }
  ///
  /// The changes are in memory at once, are saved together after the body, and are told to listeners after
  /// it. If the body throws, each change is undone. A transaction inside another one of the same store is
  /// part of it.
  ///
  /// Only changes of this store, made by this thread through this library, take part. ``flush()`` inside the
  /// body does not save them.
  ///
  /// On Apple platforms the system saves each change by itself, so that a crash may separate them.
  ///
  /// - Parameter body: What changes settings of this store.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  public func transaction<R>(_ body: () throws -> R) rethrows -> R {
    try Transaction.run(in: Store.of(self), self, body)
  }
}
