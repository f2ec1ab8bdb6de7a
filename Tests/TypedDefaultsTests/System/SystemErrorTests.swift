#if !canImport(Darwin) && !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import XCTest

  @testable import TestSupport
  @testable import TypedDefaults

  final class SystemErrorTests: XCTestCase {
    /// With a descriptor that another thread gives back, Foundation looks for a file that never was there,
    /// after the one that is there could not be opened.
    func testAFileThatIsThereIsNotOpenedWhereALaterOneIsMissing() throws {
      let path = try makeTemporaryFolder().path + "/file"
      XCTAssertTrue(SystemError.opens(path) { errno = ENOENT })
      XCTAssertTrue(FileManager.default.createFile(atPath: path, contents: Data()))
      XCTAssertTrue(SystemError.opens(path) {})
      XCTAssertFalse(SystemError.opens(path) { errno = EMFILE })
      XCTAssertFalse(SystemError.opens(path) { errno = ENOENT })
    }
  }
#endif
