internal import Foundation
internal import Synchronization

/// The stored values of a store, under one lock that the store and its saver share.
final class StoreMemory: Sendable {
  let values = Mutex(StoredValues())

  subscript(key: String) -> PropertyListObject? { values.withLock { $0[key] } }

  /// Returns once no other thread is changing several keys in one step.
  func waitForStep() { values.withLock { _ in } }

  /// Forgets all values that no transaction needs, where the library does not keep them.
  func forgetUnheld() {
    values.withLock { if $0.holders.isEmpty { $0 = StoredValues() } }
  }

  /// Held while no other thread may make changes, where no file's lock sees to it.
  private let exclusion = NSRecursiveLock()

  /// - Throws: An issue if another thread has the lock for ten seconds.
  func exclusively(_ body: () throws -> Void) throws {
    let patience = Duration.lockPatience / .seconds(1)
    guard exclusion.lock(before: Date() + patience) else { throw DefaultsIssue.keptByAnotherThread }
    defer { exclusion.unlock() }
    try body()
  }
}

extension DefaultsIssue {
  static let keptByAnotherThread = Self(
    kind: .saveFailed, key: nil,
    message: """
      The changes are undone: for ten seconds, another thread kept exclusively(_:) from its turn. Let no \
      thread wait for another one inside the body, and use two stores in the same order everywhere.
      """)
}
