import Synchronization
import XCTest

/// Tests of processes that save. A subclass repeats them with the saved stores in place of Foundation's.
class SavingTestCase: XCTestCase {
  class var usesSavedStores: Bool { false }

  /// All of it where the tests are made for Foundation's stores, and a third where they are repeated:
  /// for what takes long, and is the work of the same code.
  func part<C: Collection>(of all: C) -> [C.Element] {
    guard Self.usesSavedStores else { return Array(all) }
    return all.enumerated().filter { $0.offset.isMultiple(of: 3) }.map(\.element)
  }

  override func setUp() {
    ChildProcess.usesSavedStores.store(Self.usesSavedStores, ordering: .relaxed)
  }

  override func tearDown() {
    ChildProcess.usesSavedStores.store(false, ordering: .relaxed)
  }
}
