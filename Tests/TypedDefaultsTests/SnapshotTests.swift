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
  @WrappedDefault("port", in: 1...65535) var port = 80
  @WrappedDefaultOptional("name") var name: String?
  @WrappedDefault("token", isSecret: true) var token = ""
  let inner = Inner(prefix: "inner/", formerly: "outer/")
  var note = "of init"
}

/// Uses a store of its own beside that of its group.
private struct TwoStores: SettingsGroup {
  nonisolated(unsafe) static var own = UserDefaults.inMemory()
  @WrappedDefault("count") var count = 0
  @WrappedDefault("own", userDefaults: own) var own = 0
  let group = Inner(in: own, prefix: "own/")
}

/// A group's settings at one moment.
final class SnapshotTests: XCTestCase {
  func testItHasTheValuesOfThisMomentAndWhatChangesLaterStaysThere() throws {
    for store in try makeStoresAndSubclasses() {
      let settings = Settings(in: store, prefix: "app/", formerly: "old/")
      settings.left = 1
      settings.name = "before"
      store.set(9, forKey: "old/inner/h")
      let snapshot = settings.snapshot()
      settings.left = 2
      settings.$name.reset()
      snapshot.right = 3
      XCTAssertEqual(snapshot.left, 1, "\(store)")
      XCTAssertEqual(snapshot.name, "before", "\(store)")
      XCTAssertEqual(snapshot.inner.hour, 9, "\(store)")
      XCTAssertEqual(settings.right, 0, "\(store)")
      XCTAssertEqual(snapshot.settings.map(\.key), settings.settings.map(\.key))
      XCTAssertEqual(snapshot.$left.source, .stored)
      XCTAssertEqual(snapshot.$right.source, .stored)
      XCTAssertFalse(settings.$right.isStored)
      XCTAssertEqual(snapshot.$port.source, .defaultValue)
      XCTAssertEqual(snapshot.note, "of init")
      XCTAssertThrowsError(try snapshot.$port.set(text: "0"))
      settings.resetAll()
      XCTAssertEqual(snapshot.left, 1)
      snapshot.resetAll()
      XCTAssertEqual([snapshot.left, snapshot.inner.hour], [0, 7])
    }
  }

  func testARawChangeOfThisProgramIsInIt() throws {
    for store in try makeStores() {
      let settings = Settings(in: store)
      settings.left = 1
      store.set(5, forKey: "left")
      store.set("raw", forKey: "name")
      let snapshot = settings.snapshot()
      XCTAssertEqual(snapshot.left, 5, "\(store)")
      XCTAssertEqual(snapshot.name, "raw", "\(store)")
    }
  }

  func testOverridesAndAnAdministratorsValuesAreInIt() {
    let store = UserDefaults.inMemory(
      ["left": 1, "port": 1], managed: ["left": 2], system: ["right": 3])
    store.setVolatileDomain(["name": "argument"], forName: UserDefaults.argumentDomain)
    let settings = Settings(in: store)
    let snapshot = settings.snapshot()
    XCTAssertEqual(snapshot.settings.map(\.source), settings.settings.map(\.source))
    XCTAssertEqual(snapshot.settings.map(\.text), settings.settings.map(\.text))
    XCTAssertEqual(snapshot.$left.source, .managed)
    XCTAssertEqual(snapshot.$name.source, .launchArgument)
    XCTAssertEqual(snapshot.$right.source, .system)
    XCTAssertTrue(snapshot.$left.isStored)
  }

  func testADeclarationThatNamesAStoreIsInMemoryToo() {
    TwoStores.own = .inMemory(["own": 1, "own/hour": 2])
    let settings = TwoStores(in: .inMemory(["count": 1]))
    let snapshot = settings.snapshot()
    XCTAssertEqual([snapshot.count, snapshot.own, snapshot.group.hour], [1, 1, 2])
    (snapshot.own, snapshot.group.hour) = (5, 6)
    XCTAssertEqual([settings.own, settings.group.hour], [1, 2])
    (settings.own, settings.group.hour) = (7, 8)
    XCTAssertEqual([snapshot.own, snapshot.group.hour], [5, 6])
  }

  func testASnapshotOfAGroupInsideAnotherHasItsKeysAndOneOfASnapshotIsAsThat() throws {
    let settings = Settings(in: .inMemory(["app/inner/hour": 5]), prefix: "app/")
    let snapshot = settings.inner.snapshot()
    XCTAssertEqual(snapshot.$hour.key, "app/inner/hour")
    XCTAssertEqual(snapshot.hour, 5)
    snapshot.hour = 6
    XCTAssertEqual(snapshot.snapshot().hour, 6)
    XCTAssertEqual(
      try settings.snapshot().exportData(includingSecrets: true),
      try settings.exportData(includingSecrets: true))
  }

  func testATransactionIsInItWhollyOrNotAtAllAndSeesItsOwnChanges() throws {
    for store in try makeStores() {
      let settings = Settings(in: store)
      settings.transaction {
        settings.left = 1
        settings.transaction { settings.right = 2 }
        let own = settings.snapshot()
        XCTAssertEqual([own.left, own.right], [1, 2], "\(store)")
        let isTaken = expectation(description: "another thread's snapshot is taken")
        Thread.detachNewThread {
          let other = settings.snapshot()
          XCTAssertEqual([other.left, other.right], [0, 0])
          isTaken.fulfill()
        }
        wait(for: [isTaken], timeout: 60)
        settings.right = 1
      }
      let after = settings.snapshot()
      XCTAssertEqual([after.left, after.right], [1, 1], "\(store)")
      settings.resetAll()
    }
  }

  func testWhatIsReportedIsNotReportedAgain() throws {
    let recorder = recordIssues()
    let store = UserDefaults.inMemory(["left": "many", "port": 0])
    let settings = Settings(in: store)
    XCTAssertEqual(settings.left, 0)
    XCTAssertEqual(recorder.take().map(\.key), ["left"])
    let snapshot = settings.snapshot()
    XCTAssertEqual([snapshot.left, snapshot.port], [0, 80])
    XCTAssertEqual(recorder.take().map(\.key), ["port"], "the snapshot is the first to read it")
    XCTAssertEqual([settings.left, settings.port], [0, 80])
    XCTAssertEqual(settings.snapshot().port, 80)
    DefaultsIssue.waitForReports()
    XCTAssertEqual(recorder.take().map(\.key), [])
  }

  func testADeclarationThatIsWrongIsReportedByTheGroupOnly() throws {
    struct Wrong: SettingsGroup {
      @WrappedDefault("same") var first = 1
      @WrappedDefault("same") var second = 2
      @WrappedDefault("count", in: 1...5) var count = 0
    }
    let recorder = recordIssues()
    let settings = Wrong(in: .inMemory())
    DefaultsIssue.waitForReports()
    XCTAssertEqual(recorder.take().count, 2)
    _ = settings.snapshot()
    DefaultsIssue.waitForReports()
    XCTAssertEqual(recorder.take().map(\.description), [])
  }

  #if !TYPED_DEFAULTS_PLATFORM_SAVES
    /// Another process sets the two in transactions.
    func testNoneIsTornBesideAnotherProcess() throws {
      try sideBySide(["saved", "foundations"]) { kind in
        let folder = try TemporaryFolder()
        let suite = folder.path + "/suite"
        let store = kind == "saved" ? .saved(suiteName: suite) : UserDefaults(suiteName: suite)!
        let settings = Settings(in: store)
        let child = try ChildProcess(["saving", "suite:\(suite)", "move-forever"], in: folder)
        XCTAssertEqual(child.line(), "flushed")
        let start = ContinuousClock.now
        var seen: Set<Int> = []
        // On a busy machine, few changes come within a second.
        while ContinuousClock.now < start + .seconds(Scale.rounds(1, long: 4))
          || seen.count <= 5 && ContinuousClock.now < start + .seconds(60)
        {
          let snapshot = settings.snapshot()
          XCTAssertEqual(snapshot.left, -snapshot.right, kind)
          seen.insert(snapshot.left)
        }
        child.kill(SIGKILL)
        _ = try child.wait()
        XCTAssertGreaterThan(seen.count, 5, kind)
      }
    }
  #endif

  /// Other threads set the two in transactions, some of which are undone.
  func testNoneIsTornBesideOtherThreads() throws {
    struct Failure: Error {}
    for store in try makeStores() {
      let settings = Settings(in: store)
      let isOver = expectation(description: "the other thread is done")
      Thread.detachNewThread {
        for number in 1...700 {
          try? settings.transaction {
            settings.left = number
            settings.right = -number
            if number % 3 == 0 { throw Failure() }
          }
        }
        isOver.fulfill()
      }
      var last = 0
      while last < 700 {
        let snapshot = settings.snapshot()
        XCTAssertEqual(snapshot.left, -snapshot.right, "\(store)")
        last = snapshot.left
      }
      wait(for: [isOver], timeout: 60)
      settings.resetAll()
    }
  }
}
