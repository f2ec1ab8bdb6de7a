import Synchronization
import XCTest

@testable import TestSupport
@testable import TypedDefaults

/// Equal values are neither conflicts nor news, though their stored forms may differ.
final class EqualValuesTests: XCTestCase {
  private struct Filter: Codable, Equatable, UserDefaultsSerializable { var tags: Set<String> }

  private final class Label: Codable, Hashable, UserDefaultsSerializable {
    let text: String
    init(_ text: String) { self.text = text }
    static func == (left: Label, right: Label) -> Bool { left.text == right.text }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  /// Equal, but for what a person sees of it.
  private struct Account: Codable, Equatable, UserDefaultsSerializable {
    var id: Int
    var name: String
    static func == (left: Account, right: Account) -> Bool { left.id == right.id }
  }

  /// A set whose buckets are in another order for each capacity.
  private func set<E>(of elements: [E], capacity: Int) -> Set<E> {
    var set = Set<E>(minimumCapacity: capacity)
    for element in elements { set.insert(element) }
    return set
  }

  private let words = (1...12).map { "word\($0)" }

  func testAnEqualNumberOfAnotherTypeIsDecodedAnew() throws {
    // Foundation's class keeps a number that is equal.
    for store in [.inMemory(), try makeSavedSuite(), AnnouncingDefaults()] {
      store.set(2.0, forKey: "volume")
      XCTAssertEqual(store.value(for: "volume"), "2.0", "\(store)")
      WrappedDefault(wrappedValue: 0, "volume", userDefaults: store).wrappedValue = 2
      XCTAssertEqual(store.value(for: "volume"), "2", "\(store)")
    }
  }

  #if !TYPED_DEFAULTS_PLATFORM_SAVES
    func testAnEqualNumberOfAnotherTypeIsSaved() throws {
      let name = try makeTemporaryFolder().appendingPathComponent("suite").path
      let store = UserDefaults.saved(suiteName: name)
      for (object, line) in [(2.0 as Any, "<real>2</real>"), (2, "<integer>2</integer>")] {
        store.set(object, forKey: "volume")
        try store.flush()
        let file = try String(contentsOfFile: name + ".plist", encoding: .utf8)
        XCTAssertTrue(file.contains(line), file)
      }
    }
  #endif

  func testEqualDefaultsAreNoConflictInWhateverOrderTheyAreStored() {
    let store = UserDefaults.inMemory()
    let recorder = recordIssues()
    for capacity in [12, 50, 200, 1000] {
      _ = WrappedDefault(
        wrappedValue: Filter(tags: set(of: words, capacity: capacity)), "filter",
        userDefaults: store)
      _ = WrappedDefault(
        wrappedValue: set(of: words.map { [$0: 1, "other": 2] }, capacity: capacity),
        "dictionaries", userDefaults: store)
      _ = WrappedDefault(
        wrappedValue: set(of: words.map(Label.init), capacity: capacity), "labels",
        userDefaults: store)
    }
    XCTAssertEqual(recorder.take().map(\.description), [])
  }

  func testEqualValuesAreNoNewsInWhateverOrderTheyAreStored() async throws {
    let values = [12, 50, 200, 1000].map { Filter(tags: set(of: words, capacity: $0)) }
    let stored = try values.map(Setting.encode)
    XCTAssertFalse(stored.allSatisfy { $0 == stored[0] }, "they should be stored in several orders")

    let last = Filter(tags: ["last"])
    let unread = TestMutex([nil] + values + [last])
    let listeners = Listeners()
    let updates = DefaultUpdates<Filter?>(listeners) {
      listeners.announceChange()  // The next value is there before this one has been looked at.
      let value = unread.withLock { $0.removeFirst() }
      return (value, try? value.map(Setting.encode))
    }
    try await withDeadline { [first = values[0]] in
      var iterator = updates.makeAsyncIterator()
      for expected in [nil, first, last] {
        let value = await iterator.next()
        XCTAssertEqual(value, .some(expected))
      }
    }
  }

  func testWithLockStoresWhatEqualityDoesNotLookAt() {
    let store = UserDefaults.inMemory()
    let account = WrappedDefault(
      wrappedValue: Account(id: 1, name: "Ann"), "account", userDefaults: store)
    account.withLock { $0.name = "Zoë" }
    XCTAssertEqual(account.wrappedValue.name, "Zoë")
  }

  func testADefaultThatIsMadeAnewEachTimeIsToBeMadeOnce() {
    let store = UserDefaults.inMemory()
    let recorder = recordIssues()
    for _ in 1...2 { _ = WrappedDefault(wrappedValue: UUID(), "id", userDefaults: store) }
    let issues = recorder.take()
    XCTAssertEqual(issues.map(\.kind), [.conflictingDefault])
    XCTAssertTrue(
      issues[0].description.hasSuffix(
        "a default that changes, such as UUID(), once, in a static let."),
      issues[0].description)
  }

  #if !TYPED_DEFAULTS_PLATFORM_SAVES
    func testAnEqualNumberOfAnotherTypeIsTakenFromAnotherProcess() throws {
      for store in [try makeSuite(), try makeSavedSuite()] {
        store.set(true, for: "a" as UserDefaults.Key<Bool>)
        try store.flush()
        let file = try XCTUnwrap(store.fileURL)
        try PropertyListSerialization.data(fromPropertyList: ["a": 1], format: .xml, options: 0)
          .write(to: file)
        store.set(2, for: "b" as UserDefaults.Key<Int>)
        try store.flush()
        XCTAssertEqual(xml(store.object(forKey: "a")), xml(1))
        let text = try String(contentsOf: file, encoding: .utf8)
        XCTAssertTrue(text.contains("<integer>1</integer>"), text)
      }
    }
  #endif
}
