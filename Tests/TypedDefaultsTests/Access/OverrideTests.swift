import Foundation
import Observation
import Synchronization
import XCTest

@testable import TestSupport
@testable import TypedDefaults

/// Settings beneath a launch argument or a variable that cannot be read as their type.
final class OverrideTests: XCTestCase {
  private struct User: Codable, Equatable, UserDefaultsSerializable { var name: String }

  private let none = User(name: "nobody")

  /// A setting of each store, with an argument or a variable above it that is no user.
  private func makeOverridden() throws -> [(WrappedDefault<User>, UserDefaults)] {
    _ = recordIssues()
    let variable = "TYPED_DEFAULTS_TESTS_USER"
    setenv(variable, "not a user", 1)
    defer { unsetenv(variable) }
    return try (makeStores() + [AnnouncingDefaults()]).flatMap { store in
      let key = UUID().uuidString
      store.setVolatileDomain([key: "not a user"], forName: UserDefaults.argumentDomain)
      addTeardownBlock { [store = SharedStore(store)] in
        store.instance.removeVolatileDomain(forName: UserDefaults.argumentDomain)
      }
      return [
        (WrappedDefault(wrappedValue: none, .init(name: key), userDefaults: store), store),
        (
          WrappedDefault(
            wrappedValue: none, "variable", environment: variable, userDefaults: store), store
        ),
      ]
    }
  }

  func testAnAssignmentBeneathAnUnreadableOverrideIsSeen() throws {
    for (user, store) in try makeOverridden() {
      XCTAssertEqual(user.wrappedValue, none)
      for name in ["Ann", "Zoë"] {
        user.wrappedValue = User(name: name)
        XCTAssertEqual(user.wrappedValue, User(name: name), "\(store) \(user.key)")
        XCTAssertEqual(user.text, User(name: name).text, "\(store) \(user.key)")
        XCTAssertEqual(user.source, .stored)
      }
      user.withLock { $0.name += "!" }
      XCTAssertEqual(user.wrappedValue, User(name: "Zoë!"), "\(store) \(user.key)")
      user.reset()
      XCTAssertEqual(user.wrappedValue, none, "\(store) \(user.key)")
    }
  }

  func testAnUnreadableOverrideIsReportedOnceUntilItChanges() throws {
    for (user, store) in try makeOverridden() {
      let recorder = recordIssues()
      XCTAssertEqual(user.wrappedValue, none)
      XCTAssertNotEqual(user.source, .environment)
      // A store in memory sees no variable.
      let layers = Store.of(store).backend.layers.map(\.source)
      let isSeen = user.key != "variable" || layers.contains(.environment)
      XCTAssertEqual(
        recorder.take(atLeast: isSeen ? 1 : 0).count, isSeen ? 1 : 0, "\(store) \(user.key)")
      for number in 1...20 {
        user.wrappedValue = User(name: "\(number)")
        XCTAssertEqual(user.wrappedValue.name, "\(number)")
        XCTAssertEqual(store.value(for: UserDefaults.Key<User>(name: user.key))?.name, "\(number)")
        user.withLock { $0.name += "!" }
      }
      user.reset()
      XCTAssertEqual(user.wrappedValue, none)
      XCTAssertEqual(recorder.take().map(\.description), [], "\(store) \(user.key)")
      guard user.key != "variable" else { continue }
      for other in ["another", "not a user"] {
        store.setVolatileDomain([user.key: other], forName: UserDefaults.argumentDomain)
        for _ in 1...2 {
          XCTAssertEqual(user.wrappedValue, none)
          user.wrappedValue = none
        }
        XCTAssertEqual(recorder.take().map(\.key), [user.key], "\(store) \(other)")
      }
    }
  }

  func testAnUnreadableStoredValueBeneathOneIsReportedAfterEachChange() throws {
    for (user, store) in try makeOverridden() {
      XCTAssertEqual(user.wrappedValue, none)
      let recorder = recordIssues()
      for text in ["1", "2"] {
        store.set(text, forKey: user.key)
        for _ in 1...2 { XCTAssertEqual(user.wrappedValue, none) }
        XCTAssertEqual(recorder.take().count, 1, "\(store) \(user.key)")
        user.wrappedValue = User(name: "Ann")
      }
    }
  }

  func testATypedKeyAndAnOptionalSettingSeeItToo() throws {
    for (user, store) in try makeOverridden() where user.key != "variable" {
      let key = UserDefaults.Key<User>(name: user.key)
      let optional = WrappedDefaultOptional(key, userDefaults: store)
      _ = (optional.wrappedValue, store.value(for: key))
      for name in ["Ann", "Zoë"] {
        store.set(User(name: name), for: key)
        XCTAssertEqual(optional.wrappedValue, User(name: name), "\(store)")
        XCTAssertEqual(store.value(for: key), User(name: name), "\(store)")
      }
    }
  }

  func testAFunctionHearsAChangeBeneathAnUnreadableOverride() throws {
    for (user, store) in try makeOverridden() {
      let calls = TestMutex<[[String]]>([])
      let observation = user.onChange { old, new in
        calls.withLock { $0.append([old.name, new.name]) }
      }
      for name in ["Ann", "Zoë"] { user.wrappedValue = User(name: name) }
      user.reset()
      XCTAssertEqual(
        calls.withLock { $0 }, [["nobody", "Ann"], ["Ann", "Zoë"], ["Zoë", "nobody"]],
        "\(store) \(user.key)")
      observation.cancel()
    }
  }

  func testAFunctionHearsANumberBeneathAnUnreadableArgument() throws {
    _ = recordIssues()
    for store in try makeStores() {
      let key = UUID().uuidString
      store.setVolatileDomain([key: "abc"], forName: UserDefaults.argumentDomain)
      let port = WrappedDefault(wrappedValue: 80, .init(name: key), userDefaults: store)
      let calls = TestMutex<[[Int]]>([])
      let observation = port.onChange { old, new in calls.withLock { $0.append([old, new]) } }
      port.wrappedValue = 81
      XCTAssertEqual(port.wrappedValue, 81)
      XCTAssertEqual(calls.withLock { $0 }, [[80, 81]], "\(store)")
      observation.cancel()
      store.removeVolatileDomain(forName: UserDefaults.argumentDomain)
    }
  }

  func testUpdatesAndObservationHearAChangeBeneathAnUnreadableOverride() async throws {
    for (user, _) in try makeOverridden() {
      try await withDeadline { [none] in
        var names = user.updates.makeAsyncIterator()
        var heard = [await names.next()]
        let observed = Atomic(0)
        @Sendable func observe() {
          withObservationTracking {
            _ = user.wrappedValue
          } onChange: {
            observed.add(1, ordering: .relaxed)
            observe()
          }
        }
        observe()
        for name in ["Ann", "Zoë"] {
          user.wrappedValue = User(name: name)
          heard.append(await names.next())
        }
        XCTAssertEqual(heard, [none, User(name: "Ann"), User(name: "Zoë")], user.key)
        XCTAssertEqual(observed.load(ordering: .relaxed), 2, user.key)
      }
    }
  }
}

extension UserDefaultsSerializable {
  /// The value as a person types it.
  fileprivate var text: String? {
    WrappedDefault(wrappedValue: self, "text", userDefaults: .inMemory()).text
  }
}
