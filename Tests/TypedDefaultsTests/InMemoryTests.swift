import TypedDefaults
import XCTest

@testable import TestSupport

final class InMemoryTests: XCTestCase {
  func testTwoStoresShareNothingRegisteredDefaultsIncluded() async {
    await withTaskGroup(of: Bool.self) { group in
      for index in 0..<50 {
        group.addTask {
          let store = UserDefaults.inMemory()
          let count = WrappedDefault(wrappedValue: index, "inMemoryCount", userDefaults: store)
          let name = WrappedDefaultOptional<String>("name", userDefaults: store)
          guard count.wrappedValue == index, store.integer(forKey: "inMemoryCount") == index,
            name.wrappedValue == nil
          else { return false }
          count.wrappedValue = -index
          name.wrappedValue = "\(index)"
          await Task.yield()
          return count.wrappedValue == -index && name.wrappedValue == "\(index)"
        }
      }
      for await isAlone in group { XCTAssertTrue(isAlone) }
    }
    XCTAssertNil(UserDefaults.inMemory().object(forKey: "inMemoryCount"))
    XCTAssertNil(UserDefaults.standard.object(forKey: "inMemoryCount"))
  }

  func testTheRawAccessorsWork() throws {
    let store = UserDefaults.inMemory()
    store.set(true, forKey: "bool")
    store.set(7, forKey: "integer")
    store.set(Float(1.5), forKey: "float")
    store.set(2.5, forKey: "double")
    store.set(URL(string: "https://example.com"), forKey: "url")
    store.set(["a"], forKey: "strings")
    store.register(defaults: ["registered": "r", "integer": 1])
    XCTAssertTrue(store.bool(forKey: "bool"))
    XCTAssertEqual(store.integer(forKey: "integer"), 7)
    XCTAssertEqual(store.float(forKey: "float"), 1.5)
    XCTAssertEqual(store.double(forKey: "double"), 2.5)
    XCTAssertEqual(store.url(forKey: "url"), URL(string: "https://example.com"))
    XCTAssertEqual(store.stringArray(forKey: "strings"), ["a"])
    XCTAssertEqual(store.string(forKey: "registered"), "r")
    XCTAssertEqual(store.dictionaryRepresentation().count, 7)
    store.set(nil, forKey: "integer")
    XCTAssertEqual(store.integer(forKey: "integer"), 1)
  }

  func testItsFirstObjectsCountAsStored() {
    let recorder = recordIssues()
    let store = UserDefaults.inMemory(["volume": 7, "name": "Zoë", "bad": InMemoryTests.self])
    let volume = WrappedDefault(wrappedValue: 4, "volume", userDefaults: store)
    let name = WrappedDefaultOptional<String>("name", userDefaults: store)
    XCTAssertEqual(volume.wrappedValue, 7)
    XCTAssertEqual(name.wrappedValue, "Zoë")
    XCTAssertTrue(volume.isStored)
    XCTAssertEqual(volume.source, .stored)
    volume.reset()
    XCTAssertEqual(volume.wrappedValue, 4)
    XCTAssertNil(store.object(forKey: "bad"))
    XCTAssertEqual(recorder.take().map(\.key), ["bad"])
  }

  func testObjectsOfFoundationAreStoredAsTheirValues() throws {
    let recorder = recordIssues()
    let store = UserDefaults.inMemory()
    let base = URL(string: "https://example.com/a/")
    let url = try XCTUnwrap(NSURL(string: "b?c", relativeTo: base))
    store.set(url, forKey: "url")
    store.set([url, NSURL(fileURLWithPath: "/tmp/x")], forKey: "urls")
    store.register(defaults: ["registered": url])
    XCTAssertEqual(store.url(forKey: "url"), URL(string: "b?c", relativeTo: base))
    XCTAssertEqual(store.url(forKey: "registered"), URL(string: "b?c", relativeTo: base))
    XCTAssertEqual(
      store.value(for: UserDefaults.Key<[URL]>("urls")),
      [URL(string: "b?c", relativeTo: base)!, URL(filePath: "/tmp/x")])
    store.set(NSNumber(value: true), forKey: "flag")
    store.set([NSNumber(value: false), NSNumber(value: 1)], forKey: "flags")
    XCTAssertEqual(store.object(forKey: "flag") as? Bool, true)
    XCTAssertEqual(xml(store.object(forKey: "flag")), xml(true))
    XCTAssertEqual(xml(store.object(forKey: "flags")), xml([false, 1] as [Any]))
    XCTAssertEqual(recorder.take().map(\.description), [])
  }

  func testAnObjectThatNoPropertyListHoldsIsRefusedAndReported() {
    let recorder = recordIssues()
    let store = UserDefaults.inMemory()
    store.set("old", forKey: "key")
    store.set(Set([1]), forKey: "key")
    XCTAssertEqual(store.string(forKey: "key"), "old")
    XCTAssertEqual(recorder.take().map(\.kind), [.unencodableValue])
  }

  func testAnUndecodableValueIsNotExplainedByALaunchArgument() throws {
    let result = try ChildProcess.run("in-memory", "-volume", "loud", in: try TemporaryFolder())
    XCTAssertEqual(result.output, ["4"])
    XCTAssertTrue(result.errors.contains("The stored value of \"volume\""), result.errors)
  }

  func testAStoreTouchesNoDisk() throws {
    let folder = try TemporaryFolder()
    XCTAssertEqual(try ChildProcess.run("in-memory", in: folder).output, ["4"])
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), [])
  }

  func testAStoreIsFreedWithItsSettings() {
    weak var freed: UserDefaults?
    do {
      let store = UserDefaults.inMemory()
      freed = store
      let count = WrappedDefault(wrappedValue: 1, "count", userDefaults: store)
      count.wrappedValue = 2
    }
    XCTAssertNil(freed)
  }

  func testObjectsOfFoundationAreTakenAsTheirSwiftValues() throws {
    let object = try XCTUnwrap(NSURL(string: "https://example.com/a?b=c"))
    let url = URL(string: "https://example.com/a?b=c")
    var stores = [UserDefaults.inMemory()]
    #if !TYPED_DEFAULTS_PLATFORM_SAVES
      stores.append(try makeSavedSuite())
    #endif
    for store in stores {
      let recorder = recordIssues()
      store.set(object as Any, forKey: "url")
      XCTAssertEqual(store.url(forKey: "url"), url)
      XCTAssertEqual(store.value(for: UserDefaults.Key<URL>("url")), url)
      store.register(defaults: ["registered": object])
      XCTAssertEqual(store.url(forKey: "registered"), url)
      store.set(NSNumber(value: true), forKey: "flag")
      XCTAssertEqual(store.object(forKey: "flag") as? Bool, true)
      XCTAssertEqual(xml(store.object(forKey: "flag")), xml(true))
      store.set(NSNumber(value: 1), forKey: "number")
      XCTAssertEqual(xml(store.object(forKey: "number")), xml(1))
      XCTAssertEqual(recorder.take().map(\.description), [])
    }
  }
}
