import Foundation
import Synchronization
import TypedDefaults
import XCTest

@testable import TestSupport

final class DefaultsIssueTests: XCTestCase {
  func testTheHandlerMayReadAndAssignTheSettingConcerned() {
    let store = UserDefaults.inMemory()
    let volume = WrappedDefault(wrappedValue: 4, "volume", userDefaults: store)
    DefaultsIssue.setHandler { _ in
      volume.withLock { $0 += 1 }
      XCTAssertEqual(volume.wrappedValue, 5)
    }
    defer { DefaultsIssue.setHandler(nil) }
    store.set("loud", forKey: "volume")
    XCTAssertEqual(volume.wrappedValue, 4)
    XCTAssertEqual(volume.wrappedValue, 5)
  }

  func testTheHandlerIsCalledWhileNoLockIsHeld() {
    let store = UserDefaults.inMemory()
    let volume = WrappedDefault(wrappedValue: 4, "volume", userDefaults: store)
    let other = WrappedDefault(wrappedValue: 1, "other", userDefaults: store)
    nonisolated(unsafe) let rawStore = store
    let calls = TestMutex(0)
    DefaultsIssue.setHandler { _ in
      // Another thread gets both locks while the handler waits for it.
      let done = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        volume.withLock { $0 = 9 }
        other.withLock { $0 = 9 }
        done.signal()
      }
      XCTAssertEqual(done.wait(timeout: .now() + 60), .success)
      calls.withLock { $0 += 1 }
    }
    defer { DefaultsIssue.setHandler(nil) }
    other.withLock { _ in
      volume.withLock { _ in
        rawStore.set("loud", forKey: "volume")
        XCTAssertEqual(volume.wrappedValue, 4)
        XCTAssertEqual(calls.withLock { $0 }, 0)
      }
      XCTAssertEqual(calls.withLock { $0 }, 0, "a lock of another key is still held")
    }
    XCTAssertEqual(calls.withLock { $0 }, 1)
    XCTAssertEqual(volume.wrappedValue, 9)
  }

  func testAReportTakesNoLongerAfterManyOthers() {
    let count = Atomic(0)
    DefaultsIssue.setHandler { _ in count.add(1, ordering: .relaxed) }
    defer { DefaultsIssue.setHandler(nil) }
    let issue = DefaultsIssue(kind: .saveFailed, key: nil, message: "")
    func timeOfAThousand() -> Duration {
      (1...5).map { _ in threadTime { for _ in 0..<1000 { issue.report() } } }.min()!
    }
    let first = timeOfAThousand()
    for _ in 0..<20_000 { issue.report() }
    XCTAssertLessThan(timeOfAThousand(), first * 10)
    XCTAssertEqual(count.load(ordering: .relaxed), 30_000)
  }

  func testWithoutAHandlerAnIssueIsOneLineOnStandardError() throws {
    let home = try TemporaryFolder()
    let result = try ChildProcess.run("arguments", "-count", "a\nb", in: home)
    XCTAssertEqual(
      result.errors,
      """
      TypedDefaults: The launch argument -count cannot be read as Int: it is the string "a\\nb"; \
      expected an integer. The setting returns its default, the number 1. Correct the argument, or leave \
      it out.

      """)
  }

  func testTheHandlerMayUseTheVerySettingsWhoseFirstUseIsReported() throws {
    var names = ["conflict", "conflict in standard", "conflict in saved"]
    #if !TYPED_DEFAULTS_PLATFORM_SAVES
      // The file is damaged.
      names += ["saved", "saved suite", "standard", "suite"]
      names += [
        "shared in saved", "shared in saved suite", "shared in standard", "shared in suite",
      ]
    #endif
    let children = try names.map { name in
      let folder = try TemporaryFolder()
      if !name.hasPrefix("conflict") {
        for plist in ["Probe", "suite"] { try folder.write(Data("<damaged".utf8), toPlist: plist) }
      }
      return (name, folder, try ChildProcess(["handler", name], in: folder))
    }
    for (name, folder, child) in children {
      let (end, output, errors) = try child.wait()
      XCTAssertEqual(end, .exit(0), "\(name): \(errors)")
      let issue = name.hasPrefix("conflict") ? "conflict" : "damage"
      XCTAssertEqual(
        Set(output), ["used 4", "handled \(issue) 4", "reported"], "\(name): \(errors)")
      withExtendedLifetime(folder) {}
    }
  }

  func testAnErrorThatIsShownToAPersonSaysWhatHappened() {
    let settings = WrappedDefault(wrappedValue: 4, "volume", userDefaults: .inMemory())
    XCTAssertThrowsError(try settings.set(text: "loud")) { error in
      XCTAssertEqual(error.localizedDescription, "\(error)")
      XCTAssertTrue(error.localizedDescription.contains("volume"))
    }
  }

  func testALongStringIsCutInAMessage() {
    let recorder = recordIssues()
    let store = UserDefaults.inMemory()
    store.set(String(repeating: "x", count: 1000), forKey: "key")
    XCTAssertNil(store.value(for: UserDefaults.Key<Int>("key")))
    let description = recorder.take()[0].description
    XCTAssertTrue(
      description.contains("it is the string \"\(String(repeating: "x", count: 20))\"…; "),
      description)
  }

  func testAMessageIsOneLineOfPlainText() {
    let recorder = recordIssues()
    let store = UserDefaults.inMemory()
    let key = "a\n\u{1B}[31m\u{85}\u{2028}ü"
    store.set("\r\u{7}\u{9B}", forKey: key)
    XCTAssertNil(store.value(for: UserDefaults.Key<Int>(name: key)))
    let issue = recorder.take()[0]
    XCTAssertEqual(issue.key, key)
    XCTAssertEqual(
      issue.description,
      #"""
      The stored value of "a\n\u{1B}[31m\u{0085}\u{2028}ü" cannot be read as Int: it is the string \#
      "\r\u{07}\u{009B}"; expected an integer. The setting returns nil. Assign a value, which keeps the old one as \#
      "a\n\u{1B}[31m\u{0085}\u{2028}ü.undecodable", or reset the setting.
      """#)
  }

  func testAKindIsPrintedAsItsName() {
    let kinds: [DefaultsIssue.Kind] = [
      .undecodableValue, .unencodableValue, .conflictingDefault, .saveFailed, .savedAgain,
      .damagedFile,
    ]
    XCTAssertEqual(
      kinds.map { "\($0)" },
      [
        "undecodableValue", "unencodableValue", "conflictingDefault", "saveFailed", "savedAgain",
        "damagedFile",
      ])
  }

  func testAnIssueOfAProgramsOwnIsPrintedOnOneLine() {
    let issue = DefaultsIssue(kind: .saveFailed, key: "a", message: "It is full:\nfree space.")
    XCTAssertEqual("\(issue)", #"It is full:\nfree space."#)
    XCTAssertEqual(issue.errorDescription, issue.description)
    XCTAssertEqual((issue as any Error).localizedDescription, issue.description)
    XCTAssertEqual(issue.key, "a")
  }

  func testAReportSaysWhatTheSettingReturnsInstead() {
    struct User: Codable, UserDefaultsSerializable { var name: String }
    let store = UserDefaults.inMemory([
      "count": "many", "name": [1], "user": 7, "none": "x", "old": 3, "new": "y",
    ])
    store.register(defaults: ["none": 5])
    let recorder = recordIssues()
    _ = WrappedDefault(wrappedValue: 4, "count", userDefaults: store).wrappedValue
    _ = WrappedDefault(wrappedValue: "Ann", "name", userDefaults: store).wrappedValue
    _ = WrappedDefault(wrappedValue: User(name: "Bob"), "user", userDefaults: store).wrappedValue
    // A registered default does not stand in for a stored value.
    _ = store.value(for: UserDefaults.Key<Int>("none"))
    let returned = recorder.take().map { issue in
      issue.description.firstMatch(of: #/The setting returns (.+?)\. /#).map { String($0.1) }
    }
    XCTAssertEqual(
      returned,
      ["its default, the number 4", #"its default, the string "Ann""#, "its default", "nil"])
  }

  #if !TYPED_DEFAULTS_PLATFORM_SAVES && os(Linux)
    func testAReportNamesTheFileOfAStoredValue() throws {
      let folder = try makeTemporaryFolder()
      let (suite, saved) = (folder.path + "/suite", folder.path + "/saved")
      for (name, store) in [
        (suite, try XCTUnwrap(UserDefaults(suiteName: suite))),
        (saved, .saved(suiteName: saved)),
      ] {
        let recorder = recordIssues()
        store.set("loud", for: UserDefaults.Key<String>("volume"))
        let volume = WrappedDefault(wrappedValue: 4, "volume", userDefaults: store)
        XCTAssertEqual(volume.wrappedValue, 4)
        let message = recorder.take().first?.description ?? ""
        let start = #"The stored value of "volume" in \#(name).plist cannot be read"#
        XCTAssertTrue(message.hasPrefix(start), message)
        volume.reset()
        try store.flush()
      }
    }

    func testAReportNamesNoFileForAValueThatIsOnlyInFoundationsMemory() throws {
      let store = try makeSuite()
      let recorder = recordIssues()
      store.set("loud", forKey: "volume")
      let volume = WrappedDefault(wrappedValue: 4, "volume", userDefaults: store)
      XCTAssertEqual(volume.wrappedValue, 4)
      let message = recorder.take().first?.description ?? ""
      XCTAssertTrue(message.hasPrefix(#"The stored value of "volume" cannot be read"#), message)
    }
  #endif

  func testAPipeThatNobodyReadsEndsNoProgram() throws {
    let result = try ChildProcess.run("broken-pipe", in: try TemporaryFolder())
    XCTAssertEqual(result.end, .exit(0), result.errors)
    XCTAssertEqual(result.output, ["4", "4", "the signal is neither blocked nor pending"])
  }
}
