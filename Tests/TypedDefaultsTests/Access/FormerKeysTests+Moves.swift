import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

extension FormerKeysTests {
  // MARK: While the value moves

  private static let seconds = "\(Scale.rounds(2, long: 60))"

  func testAReadDuringAMoveGivesTheOldOrTheNewValue() throws {
    try sideBySide(FormerKeys.stores) { kind in
      let folder = try TemporaryFolder()
      let (end, output, errors) = try ChildProcess(
        ["former", "threads", kind, Self.seconds], in: folder
      )
      .wait()
      XCTAssertEqual(end, .exit(0), "\(kind) \(errors)")
      XCTAssertEqual(output.last, "no wrong value", kind)
    }
  }

  #if !TYPED_DEFAULTS_PLATFORM_SAVES
    func testAReadDuringAMoveByAnotherProcessGivesTheOldOrTheNewValue() throws {
      try sideBySide(Array(FormerKeys.stores.dropFirst())) { kind in
        let folder = try TemporaryFolder()
        let mover = try ChildProcess(["former", "mover", kind], in: folder)
        XCTAssertEqual(mover.line(), "moving")
        let (end, output, errors) = try ChildProcess(
          ["former", "reader", kind, Self.seconds], in: folder
        )
        .wait()
        mover.stop()
        XCTAssertEqual(end, .exit(0), "\(kind) \(errors)")
        XCTAssertEqual(output.last, "no wrong value", kind)
      }
    }
  #endif
}
