import Foundation
import Synchronization
import XCTest

@testable import TestSupport
@testable import TypedDefaults

/// A suite that the platform saves, on each platform.
final class SystemSuiteTests: XCTestCase {
  /// Returns Foundation's own objects, as Apple's `UserDefaults` does, and counts the looks at
  /// registered defaults.
  private final class FoundationObjects: Backend, @unchecked Sendable {  // `visible` is immutable.
    let visible: AnyObject
    let looks = SharedCount()

    init(visible: AnyObject) {
      self.visible = visible
      super.init(layers: [.argument, .environment, .stored, .registered])
    }

    override func visibleObject(_ key: String, in userDefaults: UserDefaults) -> Any? { visible }

    override func objects(
      _ key: String, at layer: Layer, in userDefaults: UserDefaults
    ) -> [PropertyListObject] {
      if layer == .registered { looks.count.add(1, ordering: .relaxed) }
      return layer == .stored ? [PropertyListObject(visible)] : []
    }
  }

  private final class SharedCount: Sendable {
    let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
  }

  private func looks<V: UserDefaultsSerializable & Equatable>(_ object: AnyObject, as value: V)
    -> [Int]
  {
    let backend = FoundationObjects(visible: object)
    let setting = Setting(
      Declaration("key", V.self, origins: nil), in: .standard, Store(backend))
    return (0..<3).map { _ in
      XCTAssertEqual(setting.read(), value)
      return backend.looks.value
    }
  }

  func testTheSecondReadOfAnObjectOfFoundationsLooksAtNoRegisteredDefault() {
    XCTAssertEqual(looks(NSNumber(value: true), as: true), [1, 1, 1])
    XCTAssertEqual(looks(NSNumber(value: 7), as: 7), [1, 1, 1])
    XCTAssertEqual(looks(NSNumber(value: 1.5), as: 1.5), [1, 1, 1])
    XCTAssertEqual(looks(NSString("text"), as: "text"), [1, 1, 1])
    XCTAssertEqual(looks(NSArray(array: ["a", "b"]), as: ["a", "b"]), [1, 1, 1])
  }

  func testAnObjectOfFoundationsIsKnownAgainOnlyIfItReadsBackTheSame() {
    func isKnown(_ left: AnyObject, _ right: AnyObject) -> Bool {
      PropertyListObject(left).isEqualScalar(PropertyListObject(right)) == true
    }
    XCTAssertTrue(isKnown(NSNumber(value: 1000), NSNumber(value: 1000)))
    XCTAssertTrue(isKnown(NSString("text"), NSString("text")))
    XCTAssertFalse(isKnown(NSNumber(value: 7), NSNumber(value: 8)))
    XCTAssertFalse(isKnown(NSNumber(value: true), NSNumber(value: 1)))
    XCTAssertFalse(isKnown(NSArray(array: [true]), NSArray(array: [1])))
  }

  func testInASuiteWithoutANameAnObjectThatEqualsTheRegisteredDefaultIsNotStored() throws {
    let suite = try makeSuite()
    let backend = SystemSuite(name: .unknown)
    suite.register(defaults: ["SystemSuiteTests.volume": 4])
    func stored() -> [PropertyListObject] {
      backend.objects("SystemSuiteTests.volume", at: .stored, in: suite)
    }
    XCTAssertEqual(stored(), [])
    suite.set(4, forKey: "SystemSuiteTests.volume")
    XCTAssertEqual(stored(), [])
    suite.set(5, forKey: "SystemSuiteTests.volume")
    XCTAssertEqual(stored(), [PropertyListObject(5)])
  }

  /// `RoundTripTests` show the end of a program itself.
  func testAtTheEndEachChangedStoreIsSynchronized() throws {
    final class Counting: UserDefaults {
      nonisolated(unsafe) var count = 0
      override func set(_ value: Any?, forKey key: String) {}
      override func synchronize() -> Bool {
        count += 1
        return true
      }
    }
    let stores = try ["a", "b", "c"].map {
      try XCTUnwrap(Counting(suiteName: "SystemSuiteTests.\($0)"))
    }
    let backend = SystemSuite(name: .unknown)
    for store in [stores[0], stores[1], stores[0]] {
      _ = backend.put(PropertyListObject("value"), "key", in: store)
    }
    SystemSuite.synchronizeChanged()
    XCTAssertEqual(stores.map(\.count), [1, 1, 0])
  }

  func testARepeatedDeclarationRegistersNothing() throws {
    struct Settings: SettingsGroup {
      @WrappedDefault("a") var a = 1
      @WrappedDefault("b") var b = ["x"]
    }
    let counting = try XCTUnwrap(RegistrationCounter(suiteName: "SystemSuiteTests"))
    for _ in 0..<3 {
      _ = WrappedDefault(wrappedValue: 1, "a", userDefaults: counting)
      _ = Settings(in: counting)
    }
    XCTAssertEqual(counting.registered.map(\.keys.first), ["a", "b"])
    _ = recordIssues()  // Of the conflict.
    _ = WrappedDefault(wrappedValue: 2, "a", userDefaults: counting)
    XCTAssertEqual(counting.registered.last as? [String: Int], ["a": 2])
  }

  #if TYPED_DEFAULTS_PLATFORM_SAVES
    func testTwoInstancesOfASavedSuiteAreOneStore() throws {
      let name = try makeSuiteName()
      let first = UserDefaults.saved(suiteName: name)
      XCTAssertTrue(UserDefaults.saved(suiteName: name) === first)
      let second = try XCTUnwrap(UserDefaults(suiteName: name))
      Store.note(second, suite: name)
      XCTAssertTrue(Store.of(first) === Store.of(second))
      let recorder = recordIssues()
      for store in [first, second, first] {
        _ = WrappedDefault(wrappedValue: store === first ? 1 : 2, "volume", userDefaults: store)
      }
      XCTAssertEqual(recorder.take(atLeast: 1).count, 1)
    }

    /// Such as Settings.app, while the program was in the background.
    func testAKeyWithADotIsLookedAtWhenTheProgramBecomesActive() throws {
      let store = UserDefaults.saved(suiteName: try makeSuiteName())
      let volume = WrappedDefault(wrappedValue: 1, "player.volume", userDefaults: store)
      let heard = TestMutex<[Int]>([])
      let isHeard = expectation(description: "the change is heard")
      let observation = volume.onChange { _, new in
        heard.withLock { $0.append(new) }
        XCTAssertFalse(Thread.isMainThread)
        isHeard.fulfill()
      }
      store.set(2, forKey: "player.volume")
      NotificationCenter.default.post(
        name: Notification.Name("UIApplicationDidBecomeActiveNotification"), object: nil)
      wait(for: [isHeard], timeout: 60)
      XCTAssertEqual(heard.withLock { $0 }, [2])
      observation.cancel()
    }

    func testAllKeysThatOnlyTheNotificationTellsOfAreLookedAt() throws {
      let store = UserDefaults.saved(suiteName: try makeSuiteName())
      let settings = ["a.b", "c.d", "@e"].map {
        WrappedDefault(wrappedValue: 1, .init(name: $0), userDefaults: store)
      }
      let heard = TestMutex<[String]>([])
      let observations = settings.map { setting in
        setting.onChange { _, new in heard.withLock { $0.append("\(setting.key) \(new)") } }
      }
      store.set(2, forKey: "c.d")
      store.set(3, forKey: "@e")
      NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: store)
      XCTAssertEqual(heard.withLock { $0.sorted() }, ["@e 3", "c.d 2"])
      for observation in observations { observation.cancel() }
    }
  #endif
}
