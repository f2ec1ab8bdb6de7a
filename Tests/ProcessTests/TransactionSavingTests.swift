#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import TypedDefaults
  import XCTest

  @testable import TestSupport

  /// What transactions save, and what other processes see of them.
  final class TransactionSavingTests: XCTestCase {
    private struct Failure: Error {}

    private struct Address {
      let host: WrappedDefault<String>
      let port: WrappedDefault<Int>

      init(_ store: UserDefaults) {
        host = WrappedDefault(wrappedValue: "localhost", "transaction-host", userDefaults: store)
        port = WrappedDefault(wrappedValue: 80, "transaction-port", userDefaults: store)
      }
    }

    private func makeSaved(
      in folder: TemporaryFolder
    ) throws -> [(store: UserDefaults, path: String)] {
      [
        (.saved(suiteName: folder.path + "/saved"), folder.path + "/saved"),
        (
          try XCTUnwrap(UserDefaults(suiteName: folder.path + "/foundations")),
          folder.path + "/foundations"
        ),
      ]
    }

    func testWhatAnotherProcessHasSavedMeanwhileIsNotUndone() async throws {
      let folder = try TemporaryFolder()
      for (store, path) in try makeSaved(in: folder) {
        let count = WrappedDefault(wrappedValue: "0", "count", userDefaults: store)
        count.wrappedValue = "1"
        try await store.flush()
        try? store.transaction {
          count.wrappedValue = "2"
          let saved = try ChildProcess.save("suite:\(path)", "set:count=100", "flush", in: folder)
          XCTAssertEqual(saved, ["flushed"])
          throw Failure()
        }
        try await store.flush()
        let name = (path as NSString).lastPathComponent
        XCTAssertEqual(try folder.contents(ofPlist: name)?["count"] as? String, "100", name)
        try await withDeadline {
          for await value in count.updates where value == "100" { break }
        }
        XCTAssertEqual(count.wrappedValue, "100", name)
      }
    }

    /// The other process stores a key that the transaction changes later.
    func testWhatAnotherProcessHasSavedBeforeALaterChangeIsNotUndone() throws {
      let folder = try TemporaryFolder()
      for (store, path) in try makeSaved(in: folder) {
        let settings = ["a", "b", "c"].map {
          WrappedDefault(wrappedValue: "0", .init(name: $0), userDefaults: store)
        }
        let last = settings[2]
        last.wrappedValue = "4"
        try store.flush()
        let isHeard = expectation(description: "heard")
        let observation = last.onChange { _, new in if new == "9" { isHeard.fulfill() } }
        try? store.transaction {
          for setting in settings.dropLast() { setting.wrappedValue = "1" }
          _ = try ChildProcess.save("suite:\(path)", "set:c=9", "flush", in: folder)
          wait(for: [isHeard], timeout: 60)
          last.wrappedValue = "5"
          throw Failure()
        }
        observation.cancel()
        XCTAssertEqual(last.wrappedValue, "9", path)
        // After it, whatever memory holds is saved.
        NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: nil)
        try store.flush()
        let name = (path as NSString).lastPathComponent
        XCTAssertEqual(try folder.contents(ofPlist: name) as? [String: String], ["c": "9"])
      }
    }

    func testAnUndoneOneChangesNoFile() throws {
      let folder = try TemporaryFolder()
      for (store, path) in try makeSaved(in: folder) {
        let address = Address(store)
        address.host.wrappedValue = "example.com"
        try store.flush()
        func status() -> stat {
          var status = stat()
          XCTAssertEqual(stat(path + ".plist", &status), 0)
          return status
        }
        let before = status()
        try? store.transaction {
          address.host.wrappedValue = "localhost"
          address.port.wrappedValue = 1
          throw Failure()
        }
        try store.flush()
        XCTAssertEqual(status().st_ino, before.st_ino, "the file has been replaced")
      }
    }

    /// The key in common is changed by the one that is still open, before or after the other one.
    func testOneThatIsOverIsSavedWhollyThoughAnotherThreadsHasAKeyInCommon() throws {
      for isOpenFirst in [true, false] {
        let folder = try TemporaryFolder()
        for (store, path) in try makeSaved(in: folder) {
          let name = (path as NSString).lastPathComponent
          let address = Address(store)
          nonisolated(unsafe) let shared = store
          let (isOpen, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
          let hasEnded = expectation(description: "ended")
          /// Stores the port, and waits inside the transaction.
          @Sendable func stayOpen() {
            shared.transaction {
              address.port.wrappedValue = 2
              isOpen.signal()
              XCTAssertEqual(isOver.wait(timeout: .now() + 60), .success)
            }
            hasEnded.fulfill()
          }
          func startOther() {
            Thread.detachNewThread { stayOpen() }
            isOpen.wait()
          }
          if isOpenFirst { startOther() }
          store.transaction {
            address.host.wrappedValue = "example.com"
            address.port.wrappedValue = 1
            if !isOpenFirst { startOther() }
          }
          try store.flush()
          let contents = try folder.contents(ofPlist: name) ?? [:]
          XCTAssertEqual(contents["transaction-host"] as? String, "example.com")
          XCTAssertEqual(
            contents["transaction-port"] as? Int, 1, "\(name), open first: \(isOpenFirst)")
          isOver.signal()
          wait(for: [hasEnded], timeout: 60)
          try store.flush()
          let last = address.port.wrappedValue
          XCTAssertEqual(last, isOpenFirst ? 1 : 2, name)
          XCTAssertEqual(
            try folder.contents(ofPlist: name)?["transaction-port"] as? Int, last, name)
        }
      }
    }

    func testItsChangesTakeLittleLongerThanPlainOnesInFoundationsClass() throws {
      let store = try makeSuite()
      let keys = (0..<400).map { UserDefaults.Key<Int>(name: "key\($0)") }
      func assign(_ value: Int) {
        for key in keys { store.set(value, for: key) }
      }
      assign(0)
      let (plain, inside) = (1...3).reduce(into: (Duration.seconds(60), Duration.seconds(60))) {
        least, round in
        least.0 = min(least.0, threadTime { assign(round * 2) })
        least.1 = min(least.1, threadTime { store.transaction { assign(round * 2 + 1) } })
      }
      XCTAssertLessThan(inside / plain, 2.5, "\(inside) against \(plain)")
    }

    func testItsChangesAreSavedTogetherAndNotBeforeItsEnd() throws {
      for isSaved in [true, false] {
        let folder = try TemporaryFolder()
        let name = folder.path + "/suite"
        let store =
          isSaved ? UserDefaults.saved(suiteName: name) : try XCTUnwrap(.init(suiteName: name))
        let address = Address(store)
        let shared = SharedStore(store)
        store.transaction {
          address.host.wrappedValue = "example.com"
          let isFlushed = expectation(description: "flushed by another thread")
          Thread.detachNewThread {
            XCTAssertNotNil(try? shared.instance.flush())
            isFlushed.fulfill()
          }
          wait(for: [isFlushed], timeout: 60)
          XCTAssertNil(try? folder.contents(ofPlist: "suite"))
          address.port.wrappedValue = 443
        }
        try store.flush()
        let contents = try folder.contents(ofPlist: "suite") ?? [:]
        XCTAssertEqual(contents["transaction-host"] as? String, "example.com")
        XCTAssertEqual(contents["transaction-port"] as? Int, 443)
      }
    }

    /// In the file that a killed process leaves, and in the memory of another one that reads.
    func testNobodySeesOneOfItsChangesWithoutTheOther() throws {
      let folder = try TemporaryFolder()
      try assertNobodySeesHalf(of: .saved(suiteName: folder.path + "/suite"), in: folder)
    }

    func testNobodySeesOneOfItsChangesWithoutTheOtherInFoundationsClass() throws {
      let folder = try TemporaryFolder()
      let reader = try XCTUnwrap(UserDefaults(suiteName: folder.path + "/suite"))
      try assertNobodySeesHalf(of: reader, in: folder)
    }

    private func assertNobodySeesHalf(of reader: UserDefaults, in folder: TemporaryFolder) throws {
      let (left, right) = ("left" as UserDefaults.Key<Int>, "right" as UserDefaults.Key<Int>)
      var seen: Set<Int> = []
      for round in 0..<Scale.rounds(20, long: 200) {
        let child = try ChildProcess(
          ["saving", "suite:\(folder.path)/suite", "move-forever"], in: folder,
          environment: ["PROBE_STORE": round.isMultiple(of: 2) ? "saved" : ""])
        XCTAssertEqual(child.line(), "flushed")
        // The moment is random, not awaited.
        let end = ContinuousClock.now + .microseconds(Int.random(in: 0...20_000))
        while ContinuousClock.now < end {
          // Time goes on between two reads, so that the second may be the newer one.
          let (a, b) = (reader.value(for: left) ?? 0, -(reader.value(for: right) ?? 0))
          let (c, d) = (-(reader.value(for: right) ?? 0), reader.value(for: left) ?? 0)
          XCTAssertLessThanOrEqual(a, b)
          XCTAssertLessThanOrEqual(c, d)
          seen.insert(d)
        }
        child.kill(SIGKILL)
        _ = try child.wait()
        let contents = try XCTUnwrap(folder.contents(ofPlist: "suite") as? [String: Int])
        XCTAssertEqual(contents["left"], contents["right"].map(-))
      }
      XCTAssertGreaterThan(seen.count, 5)
    }
  }
#endif
