import Foundation
import Synchronization
import XCTest

@testable import TestSupport
@testable import TypedDefaults

final class UpdatesTests: XCTestCase {
  struct Settings: Sendable {
    @WrappedDefault<Int> var volume: Int
    @WrappedDefaultOptional<Int> var optional: Int?

    init(_ userDefaults: UserDefaults, key: String = "volume") {
      _volume = WrappedDefault(keyName: key, defaultValue: 4, userDefaults: userDefaults)
      _optional = WrappedDefaultOptional(keyName: key, userDefaults: userDefaults)
    }
  }

  // MARK: What is heard

  func testWrapperHearsEachSource() async throws {
    let suite = try makeSuiteName()
    let settings = Settings(UserDefaults(suiteName: suite)!, key: "heardByWrapper")
    try await expectEachSource(
      suite, "heardByWrapper", heardBy: settings.$volume.updates, unset: 4
    ) { $0 }
  }

  func testOptionalWrapperHearsEachSource() async throws {
    let suite = try makeSuiteName()
    let settings = Settings(UserDefaults(suiteName: suite)!, key: "heardByOptional")
    try await expectEachSource(
      suite, "heardByOptional", heardBy: settings.$optional.updates, unset: nil
    ) { $0 }
  }

  func testTypedKeyHearsEachSource() async throws {
    let suite = try makeSuiteName()
    // Nothing registers a default for this key, which a typed key would read.
    let updates = UserDefaults(suiteName: suite)!.updates(
      for: "heardByKey" as UserDefaults.Key<Int>)
    try await expectEachSource(suite, "heardByKey", heardBy: updates, unset: nil) { $0 }
  }

  /// Makes a change by each source, and after each expects its value and no other.
  private func expectEachSource<V: Equatable & Sendable>(
    _ suite: String, _ key: UserDefaults.Key<Int>, heardBy updates: DefaultUpdates<V>, unset: V,
    _ expected: @escaping @Sendable (Int) -> V
  ) async throws {
    try await withDeadline {
      let userDefaults = UserDefaults(suiteName: suite)!
      let other = UserDefaults(suiteName: suite)!
      let wrapper = WrappedDefaultOptional<Int>(key, userDefaults: userDefaults)
      let otherWrapper = WrappedDefaultOptional<Int>(key, userDefaults: other)
      let state = Store.of(userDefaults).state(of: key.name)

      var values = updates.makeAsyncIterator()
      func expect(_ value: V, _ source: String, line: UInt = #line, _ change: () -> Void) async {
        change()
        let next = await values.next()
        XCTAssertEqual(next, value, source, line: line)
      }
      await expect(unset, "at first") {}
      await expect(expected(5), "wrapper") { wrapper.wrappedValue = 5 }
      await expect(expected(6), "wrapper of another instance") { otherWrapper.wrappedValue = 6 }
      await expect(expected(7), "typed key") { userDefaults.set(7, for: key) }
      await expect(expected(8), "typed key of another instance") { other.set(8, for: key) }
      await expect(expected(9), "withLock") { wrapper.withLock { $0! += 1 } }
      await expect(unset, "reset") { wrapper.reset() }
      await expect(expected(10), "withLock of what is unset") { otherWrapper.withLock { $0 = 10 } }
      await expect(unset, "removeValue") { other.removeValue(for: key) }
      await expect(expected(11), "assigning again") { wrapper.wrappedValue = 11 }
      await expect(unset, "assigning nil") { otherWrapper.wrappedValue = nil }
      await expect(expected(12), "setPersistentDomain") {
        UserDefaults.standard.setPersistentDomain([key.name: 12], forName: suite)
      }
      // Else what Foundation itself has just saved might be taken for another process's change.
      try await userDefaults.flush()
      await expect(unset, "removePersistentDomain") {
        UserDefaults.standard.removePersistentDomain(forName: suite)
      }
      // What is done with another process's change.
      await expect(expected(13), "announced change") {
        userDefaults.set(13, forKey: key.name)
        state.announceChange()
      }
      await expect(unset, "announced removal") {
        userDefaults.removeObject(forKey: key.name)
        state.announceChange()
      }
      await expect(expected(15), "after changes that are none") {
        wrapper.reset()
        state.announceChange()
        UserDefaults.standard.removePersistentDomain(forName: suite)
        wrapper.wrappedValue = 15
        userDefaults.set("15", forKey: key.name)
        otherWrapper.wrappedValue = 15
      }
      await expect(expected(16), "after equal values") {
        userDefaults.set("15", forKey: key.name)
        state.announceChange()
        wrapper.wrappedValue = 15
        wrapper.wrappedValue = 16
      }
    }
  }

  func testValueEqualToTheOneBeforeIsNotRepeated() async throws {
    for store in try makeStores() {
      let settings = Settings(store)
      try await withDeadline {
        var values = settings.$volume.updates.makeAsyncIterator()
        var heard = [await values.next()]
        for value in [4, 5, 5, 6, 6, 7] {
          settings.volume = value
          // Each other value is heard before the next one is assigned.
          if value != heard.last { heard.append(await values.next()) }
        }
        XCTAssertEqual(heard, [4, 5, 6, 7])
      }
    }
  }

  func testRawSetOfInMemoryStoreIsHeard() async throws {
    let userDefaults = UserDefaults.inMemory()
    let settings = Settings(userDefaults)
    nonisolated(unsafe) let raw = userDefaults
    try await withDeadline {
      var values = settings.$volume.updates.makeAsyncIterator()
      var heard = [await values.next()]
      raw.set(5, forKey: "volume")
      heard.append(await values.next())
      raw.set(6, forKey: "volume")
      heard.append(await values.next())
      raw.removeObject(forKey: "volume")
      heard.append(await values.next())
      XCTAssertEqual(heard, [4, 5, 6, 4])
    }
  }

  func testKeyNamesWithDotsAndOperatorsAreHeard() async throws {
    let suite = try makeSuiteName()
    for key in ["editor.font.size", "@count", "", "ключ 🔑"] {
      let settings = Settings(UserDefaults(suiteName: suite)!, key: key)
      try await withDeadline {
        var values = settings.$volume.updates.makeAsyncIterator()
        let atFirst = await values.next()
        settings.volume = 5
        let next = await values.next()
        XCTAssertEqual([atFirst, next], [4, 5], key)
      }
    }
  }

  func testUndecodableValueIsTheDefaultAndReported() async throws {
    let userDefaults = UserDefaults.inMemory()
    let settings = Settings(userDefaults)
    nonisolated(unsafe) let raw = userDefaults
    let issues = TestMutex<[DefaultsIssue.Kind]>([])
    DefaultsIssue.setHandler { issue in issues.withLock { $0.append(issue.kind) } }
    defer { DefaultsIssue.setHandler(nil) }
    try await withDeadline {
      var values = settings.$volume.updates.makeAsyncIterator()
      var heard = [await values.next()]
      raw.set(5, forKey: "volume")
      heard.append(await values.next())
      raw.set("loud", forKey: "volume")
      heard.append(await values.next())
      raw.set([1], forKey: "volume")
      raw.set(6, forKey: "volume")
      heard.append(await values.next())
      XCTAssertEqual(heard, [4, 5, 4, 6])
    }
    XCTAssertEqual(issues.withLock { $0 }, [.undecodableValue])
  }

  func testLaunchArgumentHidesWhatIsAssigned() async throws {
    let userDefaults = UserDefaults(suiteName: try makeSuiteName())!
    userDefaults.setVolatileDomain(["volume": "9"], forName: UserDefaults.argumentDomain)
    let settings = Settings(userDefaults)
    nonisolated(unsafe) let raw = userDefaults
    try await withDeadline {
      var values = settings.$volume.updates.makeAsyncIterator()
      var heard = [await values.next()]
      settings.volume = 5
      async let next = Self.next(of: settings.$volume.updates)
      let other = await next
      XCTAssertEqual(other, 9)
      raw.removeVolatileDomain(forName: UserDefaults.argumentDomain)
      settings.volume = 6
      heard.append(await values.next())
      XCTAssertEqual(heard, [9, 6])
    }
  }

  private static func next<V>(of updates: DefaultUpdates<V>) async -> V? {
    var values = updates.makeAsyncIterator()
    return await values.next()
  }

}

/// A store in memory that tells of each read.
final class ReadHearingUserDefaults: UserDefaults {
  let reads: AsyncStream<String>
  private let read: AsyncStream<String>.Continuation
  private let objects = TestMutex<[String: Int]>([:])
  private let hook = TestMutex<(@Sendable () -> Void)?>(nil)

  init() {
    (reads, read) = AsyncStream.makeStream()
    super.init(suiteName: "TypedDefaultsTests.\(UUID())")!
  }

  /// Runs a body when the next read has its object but has not returned it.
  func afterNextRead(_ body: @escaping @Sendable () -> Void) {
    hook.withLock { $0 = body }
  }

  override func object(forKey key: String) -> Any? {
    let object = objects.withLock { $0[key] }
    read.yield(key)
    hook.withLock { $0.take() }?()
    return object
  }

  override func set(_ value: Any?, forKey key: String) {
    objects.withLock { $0[key] = value as? Int }
  }

  override func removeObject(forKey key: String) {
    objects.withLock { $0[key] = nil }
  }

  override func register(defaults registrationDictionary: [String: Any]) {}
}
