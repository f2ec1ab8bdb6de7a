#if !TYPED_DEFAULTS_PLATFORM_SAVES && !canImport(Darwin)
  import Foundation
  import XCTest

  @testable import TypedDefaults

  /// What a suite of Foundation's class believes, where no sequence of calls leads there for sure.
  final class FileSuiteTests: XCTestCase {
    private let suite = FileSuite("TypedDefaultsTests.\(UUID())")

    func testWhatWasMissingOnceIsNotForgottenLater() {
      suite.memory.values.withLock { values in
        values.set("a", to: PropertyListObject(5))
        values.show(nil, for: "a")
        suite.showFile(["b"], &values)
        XCTAssertNil(values["a"], "A raw call has removed it, and another process the file's")
        XCTAssertFalse(values.isDue)
        values.set("a", to: PropertyListObject(7))
        suite.showFile(nil, &values)
        XCTAssertEqual(values["a"], PropertyListObject(7))
        XCTAssertTrue(values.isDue)
      }
    }

    /// A descriptor may have been free for a moment.
    func testADefaultThatIsSetInAShortageIsNotTakenForARemoval() {
      let (key, object) = ("FileSuiteTests.key", PropertyListObject(7))
      suite.suite.instance.register(defaults: [key: 7])
      suite.memory.values.withLock { values in
        suite.mirror.note(PropertyListObject(5), key, values)
        values.set(key, to: object)
        suite.mirror.compare(key, values)
        func sight(isWhole: Bool) -> FoundationMirror.Sight {
          suite.sight(of: key, object, in: ([:], isWhole), suite.suite.instance)
        }
        XCTAssertEqual(sight(isWhole: false), .unknown)
        XCTAssertEqual(sight(isWhole: true), .nothing)
        // Without its file, a domain may list what it loses later.
        XCTAssertEqual(
          suite.sight(of: key, object, in: ([key: object], false), suite.suite.instance), .unknown)
      }
    }
  }
#endif
