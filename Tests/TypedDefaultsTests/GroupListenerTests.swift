import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

private struct Inner: SettingsGroup {
  @WrappedDefault("hour", formerly: "h") var hour = 7
}

private struct Settings: SettingsGroup {
  @WrappedDefault("left") var left = 0
  @WrappedDefault("right") var right = 0
  @WrappedDefaultOptional("name") var name: String?
  let inner = Inner(prefix: "inner/")
}

/// One listener for all settings of a group.
final class GroupListenerTests: XCTestCase {
  private struct Failure: Error {}

  private final class Calls: Sendable {
    private let calls = TestMutex<[[String]]>([])
    func append(_ changed: [any DeclaredSetting]) {
      calls.withLock { $0.append(changed.map { "\($0.key) \($0.text ?? "nil")" }) }
    }
    /// In the order of their texts: a transaction may be several calls.
    func take() -> [String] {
      calls.withLock { calls in
        defer { calls = [] }
        return calls.joined().sorted()
      }
    }
  }

  func testEachAssignmentAndEachTransactionTellsTheSettingsThatDiffer() throws {
    for store in try makeStoresAndSubclasses() {
      let (settings, calls) = (Settings(in: store), Calls())
      let observation = settings.onChange { calls.append($0) }
      settings.right = 1
      settings.inner.hour = 8
      XCTAssertEqual(calls.take(), ["inner/hour 8", "right 1"], "\(store)")
      settings.transaction {
        settings.inner.hour = 9
        settings.name = "a"
        settings.left = 2
        settings.left = 3
      }
      XCTAssertEqual(calls.take(), ["inner/hour 9", "left 3", "name a"], "\(store)")
      settings.resetAll()
      XCTAssertEqual(
        calls.take(), ["inner/hour 7", "left 0", "name nil", "right 0"], "\(store)")
      observation.cancel()
      settings.left = 5
      XCTAssertEqual(calls.take(), [], "\(store)")
    }
  }

  func testWhatLeavesEachValueAsItWasIsNotTold() throws {
    for store in try makeStores() {
      let (settings, calls) = (Settings(in: store), Calls())
      settings.right = 1
      let observation = settings.onChange { calls.append($0) }
      settings.right = 1
      settings.left = 0
      try? settings.transaction {
        settings.left = 2
        settings.name = "undone"
        throw Failure()
      }
      settings.transaction {
        settings.right = 5
        settings.right = 1
      }
      store.set(9, forKey: "of nobody")
      XCTAssertEqual(calls.take(), [], "\(store)")
      withExtendedLifetime(observation) {}
      settings.resetAll()
    }
  }

  func testAFormerKeyIsHeardAndItsMoveIsNoChange() throws {
    let store = UserDefaults.inMemory()
    let (settings, calls) = (Settings(in: store), Calls())
    let observation = settings.onChange { calls.append($0) }
    store.set(5, forKey: "inner/h")
    XCTAssertEqual(calls.take(), ["inner/hour 5"])
    settings.inner.hour = 5
    XCTAssertEqual(calls.take(), [])
    withExtendedLifetime(observation) {}
  }

  func testAnAssignmentInTheFunctionIsToldToo() throws {
    for store in try makeStores() {
      let (settings, calls) = (Settings(in: store), Calls())
      let observation = settings.onChange { changed in
        calls.append(changed)
        if settings.left < 3 { settings.left += 1 }
      }
      settings.right = 1
      XCTAssertEqual(calls.take(), ["left 1", "left 2", "left 3", "right 1"], "\(store)")
      withExtendedLifetime(observation) {}
      settings.resetAll()
    }
  }

  /// A thread's own change is told though another one's transaction goes on, of which nothing is told.
  func testAnotherThreadsTransactionIsToldAtItsEnd() throws {
    for store in try makeStores() {
      let (settings, calls) = (Settings(in: store), Calls())
      let observation = settings.onChange { calls.append($0) }
      settings.transaction {
        settings.left = 1
        let isSet = expectation(description: "another thread has set a setting")
        Thread.detachNewThread {
          settings.name = "other"
          isSet.fulfill()
        }
        wait(for: [isSet], timeout: 60)
        XCTAssertEqual(calls.take(), ["name other"], "\(store)")
        settings.right = 1
      }
      XCTAssertEqual(calls.take(), ["left 1", "right 1"], "\(store)")
      withExtendedLifetime(observation) {}
      settings.resetAll()
    }
  }

  #if !TYPED_DEFAULTS_PLATFORM_SAVES
    func testASaveOfAnotherProcessTellsTheSettingsThatDiffer() throws {
      for kind in ["saved", "foundations"] {
        let folder = try TemporaryFolder()
        let suite = folder.path + "/suite"
        let store = kind == "saved" ? .saved(suiteName: suite) : UserDefaults(suiteName: suite)!
        let settings = Settings(in: store)
        let isTold = expectation(description: "\(kind): the change is told")
        isTold.expectedFulfillmentCount = 3
        let calls = Calls()
        let observation = settings.onChange {
          calls.append($0)
          isTold.fulfill()
        }
        try settings.flush()
        let contents = ["left": 1, "right": 2, "inner/hour": 3]
        try PropertyListSerialization.data(fromPropertyList: contents, format: .xml, options: 0)
          .write(to: URL(filePath: suite + ".plist"), options: .atomic)
        wait(for: [isTold], timeout: 60)
        XCTAssertEqual(calls.take(), ["inner/hour 3", "left 1", "right 2"], kind)
        observation.cancel()
      }
    }
  #endif
}
