public import Foundation

extension UserDefaults {
  /// Makes several changes as one, so that another process or the next start sees all or none.
  ///
  /// ```swift
  /// UserDefaults.saved.transaction {
  ///   settings.host = "example.com"
  ///   settings.port = 443
  /// }
  /// ```
  ///
  /// Each change is in memory at once. After the body, the library saves the changes together and
  /// then notifies listeners. If the body throws, the library undoes them. A transaction inside
  /// another one of the same store is part of the outer one.
  ///
  /// Only changes of this store take part, made by this thread through this library. Other threads
  /// can change the same settings meanwhile, and nobody waits for the disk. Somebody who reads two
  /// settings can read one before the transaction and one after it, but not in a
  /// ``SettingsGroup/snapshot()``. ``flush()`` and
  /// ``exclusively(_:)`` of this store throw inside the body.
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

  /// Makes several changes as one, while on Linux no other process comes between.
  ///
  /// ```swift
  /// try UserDefaults.saved.exclusively {
  ///   settings.launchCount += 1
  /// }
  /// ```
  ///
  /// On Linux, the method waits until other processes have saved, and takes in what they have
  /// stored. Then it runs the body, and returns when the changes are on disk. Twenty processes that
  /// each add one reach twenty. Your thread waits for ten seconds at most for its turn, and then
  /// for the disk.
  ///
  /// > Warning: All programs with a file in the same directory wait to save meanwhile, in effect all of
  /// the user's programs with this library. One that ends loses its last change after three seconds.
  /// Keep the body under a second, and wait for nothing in it.
  ///
  /// As in a ``transaction(_:)``, the library undoes the changes if the body throws. Another
  /// `exclusively` inside it is part of it, and ``flush()`` throws there. If two processes take two
  /// stores of different directories in opposite orders, one of them throws; of one directory, both
  /// succeed.
  ///
  /// - A ``DefaultsStore`` that machines share commits the changes only if no key that the body has
  ///   read or written has changed meanwhile. If one has, the body runs again.
  /// - In a store in memory, and among the threads of one process, other calls of this method wait.
  /// - On Apple platforms, and in a subclass that the library does not know, the method is a
  ///   ``transaction(_:)``, and other processes can come between.
  ///
  /// Inside a ``transaction(_:)`` or the body of a `withLock` of this store, the method throws, because
  /// those changes are saved only after it.
  ///
  /// > Important: In a store that machines share, the body may run several times. Change nothing in
  /// it but settings of this store.
  ///
  /// - Parameter body: A function that reads and changes settings of this store.
  /// - Returns: The result of the body.
  /// - Throws: The error that the body throws. A ``DefaultsIssue`` of kind
  ///   ``DefaultsIssue/Kind/saveFailed`` if another process or thread does not give way in ten
  ///   seconds, the changes cannot be saved, or the call stands where it cannot save. Then they are undone.
  public func exclusively<R>(_ body: () throws -> R) throws -> R {
    try Store.of(self).exclusively(in: self, body)
  }
}
