public import Foundation

extension UserDefaults {
  /// Makes several changes as one, so that another process or the next start sees all or none.
  ///
  /// ```swift
  /// UserDefaults.standard.transaction {
  ///   settings.host = "example.com"
  ///   settings.port = 443
  /// }
  /// ```
  ///
  /// Each change is in memory at once. The changes are saved together after the body, and then told
  /// to listeners. If the body throws, the library undoes them. A transaction inside another one of
  /// the same store is part of the outer one.
  ///
  /// Only changes of this store take part, made by this thread through this library. ``flush()``
  /// inside the body does not save them.
  ///
  /// > Important: On Apple platforms the system saves each change separately, and a crash may come
  /// between.
  ///
  /// - Parameter body: A function that changes settings of this store.
  /// - Returns: The result of the body.
  /// - Throws: The error that the body throws.
  public func transaction<R>(_ body: () throws -> R) rethrows -> R {
    try Transaction.run(in: Store.of(self), self, body)
  }

  /// Makes several changes as one, unless another machine changes what the body uses.
  ///
  /// In a ``DefaultsStore`` that machines share, the changes are committed only if no key that the
  /// body has read or written has changed meanwhile. If one has, the body runs again.
  ///
  /// > Important: The body may run several times. Change nothing in it but settings of this store.
  ///
  /// - Parameter body: A function that reads and changes settings of this store.
  /// - Returns: The result of the body.
  /// - Throws: The error that the body throws, or a ``DefaultsIssue`` if the changes cannot be
  ///   committed. Then nothing is changed.
  public func exclusively<R>(_ body: () throws -> R) throws -> R {
    try Store.of(self).exclusively(in: self, body)
  }
}
