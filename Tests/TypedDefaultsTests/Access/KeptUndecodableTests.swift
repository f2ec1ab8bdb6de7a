import Foundation
import Observation
import TypedDefaults
import XCTest

@testable import TestSupport

/// What is stored and cannot be read is kept when it is assigned over.
final class KeptUndecodableTests: XCTestCase {
  private enum Tag: String, UserDefaultsSerializable { case red, green }

  private let stored: [Any] = [
    ["red", "blue"], "loud", true, ["a": [1, ["b": "c"]] as [Any]],
  ]

  /// Checks that an assignment, made in any way, keeps what it replaces.
  private func assertKept(
    line: UInt = #line, _ assign: (WrappedDefault<[Tag]>, UserDefaults) -> Void
  ) throws {
    let key = "keptTags"
    for object in stored {
      let recorder = recordIssues()
      for store in try makeStores() {
        store.set(object, forKey: key)
        let tags = WrappedDefault<[Tag]>(
          wrappedValue: [], .init(name: key), userDefaults: store)
        assign(tags, store)
        XCTAssertEqual(tags.wrappedValue, [.green], line: line)
        XCTAssertEqual(xml(store.object(forKey: "\(key).undecodable")), xml(object), line: line)
        let issues = recorder.take()
        XCTAssertEqual(issues.map(\.kind), [.undecodableValue], line: line)
        XCTAssertEqual(
          issues.first?.description.hasSuffix(
            "which keeps the old one as \"\(key).undecodable\", or reset the setting."),
          true, line: line)
        // What can be read is not kept.
        tags.wrappedValue = [.red]
        tags.wrappedValue = [.green]
        XCTAssertEqual(xml(store.object(forKey: "\(key).undecodable")), xml(object), line: line)
      }
    }
  }

  func testByAnAssignmentAfterARead() throws {
    try assertKept { tags, _ in
      XCTAssertEqual(tags.wrappedValue, [])
      tags.wrappedValue = [.green]
    }
  }

  func testByAnAssignmentThatComesBeforeAnyRead() throws {
    try assertKept { tags, _ in tags.wrappedValue = [.green] }
  }

  func testByAChangeInPlace() throws {
    try assertKept { tags, _ in tags.wrappedValue.append(.green) }
  }

  func testByWithLock() throws {
    try assertKept { tags, _ in tags.withLock { $0.append(.green) } }
  }

  func testByATypedKey() throws {
    try assertKept { tags, store in
      store.set([Tag.green], for: UserDefaults.Key<[Tag]>(name: tags.key))
    }
  }

  func testByAnOptionalSetting() throws {
    try assertKept { tags, store in
      WrappedDefaultOptional<[Tag]>(keyName: tags.key, userDefaults: store).wrappedValue = [.green]
    }
  }

  func testInATransaction() throws {
    try assertKept { tags, store in store.transaction { tags.wrappedValue = [.green] } }
  }

  func testTheLatestIsKept() throws {
    for store in try makeStores() {
      _ = recordIssues()
      let volume = WrappedDefault(wrappedValue: 4, "keptVolume", userDefaults: store)
      for text in ["loud", "louder"] {
        store.set(text, forKey: "keptVolume")
        volume.wrappedValue += 1
        XCTAssertEqual(volume.wrappedValue, 5)
        XCTAssertEqual(store.string(forKey: "keptVolume.undecodable"), text)
      }
    }
  }

  func testOfASettingThatIsUsedForTheFirstTimeAfterTheWholeDomainHasBeenSet() throws {
    let suite = try makeSuiteName()
    let store = UserDefaults(suiteName: suite)!
    _ = recordIssues()
    let other = WrappedDefault(wrappedValue: 1, "keptOther", userDefaults: store)
    let volume = WrappedDefault(wrappedValue: 4, "keptVolume", userDefaults: store)
    other.wrappedValue = 2
    store.setPersistentDomain(["keptVolume": "loud"], forName: suite)
    volume.wrappedValue = 5
    XCTAssertEqual(store.string(forKey: "keptVolume.undecodable"), "loud")
  }

  func testAResetAndNilKeepNothing() throws {
    for store in try makeStores() {
      _ = recordIssues()
      let volume = WrappedDefault(wrappedValue: 4, "keptVolume", userDefaults: store)
      let optional = WrappedDefaultOptional<Int>("keptVolume", userDefaults: store)
      let removals: [() -> Void] = [
        { volume.reset() }, { optional.reset() }, { optional.wrappedValue = nil },
        { store.removeValue(for: UserDefaults.Key<Int>("keptVolume")) },
      ]
      for remove in removals {
        store.set("loud", forKey: "keptVolume")
        XCTAssertEqual(volume.wrappedValue, 4)
        remove()
        volume.wrappedValue = 5
        XCTAssertNil(store.object(forKey: "keptVolume.undecodable"))
      }
    }
  }

  func testAValueThatCannotBeEncodedMovesNothing() throws {
    for store in try makeStores() {
      _ = recordIssues()
      let date = WrappedDefault(wrappedValue: Date.distantPast, "keptDate", userDefaults: store)
      store.set("tomorrow", forKey: "keptDate")
      date.wrappedValue = Date(timeIntervalSinceReferenceDate: .infinity)
      XCTAssertEqual(store.string(forKey: "keptDate"), "tomorrow")
      XCTAssertNil(store.object(forKey: "keptDate.undecodable"))
    }
  }

  func testWhatAFormerKeyHoldsIsKeptUnderTheNameOfTheSetting() throws {
    for store in try makeStores() {
      let recorder = recordIssues()
      store.set("loud", forKey: "old")
      let volume = WrappedDefault(
        wrappedValue: 4, "keptVolume", formerly: "old", userDefaults: store)
      volume.wrappedValue = 5
      XCTAssertEqual(volume.wrappedValue, 5)
      let issue = try XCTUnwrap(recorder.take().first?.description)
      XCTAssertTrue(issue.hasPrefix("The stored value of \"old\""), issue)
      XCTAssertTrue(issue.contains("keeps the old one as \"keptVolume.undecodable\""), issue)
      XCTAssertNil(store.object(forKey: "old"))
      XCTAssertNil(store.object(forKey: "old.undecodable"))
      XCTAssertEqual(store.string(forKey: "keptVolume.undecodable"), "loud")
    }
  }

  func testOverridesAndRegisteredDefaultsAreNotKept() throws {
    for store in try makeStores() {
      _ = recordIssues()
      let key = UUID().uuidString
      store.register(defaults: [key: "registered"])
      store.setVolatileDomain([key: "argument"], forName: UserDefaults.argumentDomain)
      let volume = WrappedDefaultOptional<Int>(keyName: key, userDefaults: store)
      volume.wrappedValue = 5
      XCTAssertNil(store.object(forKey: "\(key).undecodable"))
      store.set("stored", forKey: key)
      volume.wrappedValue = 6
      store.removeVolatileDomain(forName: UserDefaults.argumentDomain)
      XCTAssertEqual(volume.wrappedValue, 6)
    }
  }

  func testAnObserverHearsOfBoth() throws {
    for store in try makeStores() {
      _ = recordIssues()
      store.set("loud", forKey: "keptVolume")
      let volume = WrappedDefault(wrappedValue: 4, "keptVolume", userDefaults: store)
      // Not a declaration, which would make the key the program's own.
      let key = UserDefaults.Key<String>("keptVolume.undecodable")
      let kept = { store.value(for: key) }
      let heard = expectation(description: "heard")
      heard.expectedFulfillmentCount = 2
      withObservationTracking {
        _ = volume.wrappedValue
      } onChange: {
        heard.fulfill()
      }
      withObservationTracking {
        _ = kept()
      } onChange: {
        heard.fulfill()
      }
      volume.wrappedValue = 5
      wait(for: [heard], timeout: 10)
      XCTAssertEqual(kept(), "loud")
    }
  }
}
