import Synchronization
import XCTest

@testable import TypedDefaults

/// Tests of processes that save. A subclass repeats them with the saved stores in place of Foundation's.
class SavingTestCase: XCTestCase {
  class var usesSavedStores: Bool { false }

  /// What takes long is done wholly where the tests are made for Foundation's stores, and a fifth of it
  /// where they are repeated, because it is the work of the same code.
  func part<C: Collection>(of all: C) -> [C.Element] {
    let fraction = Self.usesSavedStores && !Scale.isLong ? 5 : 1
    return all.enumerated().filter { $0.offset.isMultiple(of: fraction) }.map(\.element)
  }

  override func setUp() {
    ChildProcess.usesSavedStores.store(Self.usesSavedStores, ordering: .relaxed)
  }

  override func tearDown() {
    ChildProcess.usesSavedStores.store(false, ordering: .relaxed)
  }
}

#if !TYPED_DEFAULTS_PLATFORM_SAVES
  extension XCTestCase {
    /// Runs a body while another process holds the lock, as far as the children can see.
    func whileLocked(_ folder: TemporaryFolder, _ body: () throws -> Void) throws {
      let locked = try PreferencesFile(path: folder.plist()).locked(patience: .seconds(10))
      try withExtendedLifetime(locked, body)
    }
  }
#endif
