#if os(Linux) && !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import XCTest

  @testable import TypedDefaults

  /// What is gone, and what others change, takes no memory.
  final class MemoryTests: XCTestCase {
    func testGroupsThatAreGoneLeaveOnlyTheirRegisteredDefaults() throws {
      let count = Scale.rounds(5_000, long: 50_000)
      for store in ["standard", "saved"] {
        let folder = try TemporaryFolder()
        let child = try ChildProcess(["memory", store, "\(count)"], in: folder)
        let grown = try XCTUnwrap(child.line().flatMap { Int($0) })
        XCTAssertEqual(try child.wait().end, .exit(0))
        // Of 200,000 keys less than 50 MB, which is a quarter of a kilobyte for each.
        XCTAssertLessThan(grown, count * 4 / 4, "kilobytes in the \(store) store")
      }
    }

    func testKeysThatOnlyOthersChangeAreNotKept() throws {
      for isSaved in [true, false] {
        let folder = try TemporaryFolder()
        let name = folder.path + "/suite"
        let store =
          isSaved ? UserDefaults.saved(suiteName: name) : try XCTUnwrap(.init(suiteName: name))
        let volume = WrappedDefault(wrappedValue: 4, "volume", userDefaults: store)
        let isHeard = expectation(description: "heard")
        let observation = volume.onChange { _, new in if new == 5 { isHeard.fulfill() } }
        var objects: [String: Any] = ["volume": 5]
        for number in 0..<2_000 { objects["other\(number)"] = number }
        try PropertyListSerialization.data(fromPropertyList: objects, format: .xml, options: 0)
          .write(to: URL(filePath: name + ".plist"))
        wait(for: [isHeard], timeout: 30)
        XCTAssertEqual(store.integer(forKey: "other1999"), 1_999)
        XCTAssertEqual(Store.of(store).keys.all.map(\.key), ["volume"])
        observation.cancel()
      }
    }
  }
#endif
