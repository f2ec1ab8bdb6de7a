#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import XCTest

  @testable import TestSupport
  @testable import TypedDefaults

  final class SaveAgendaTests: XCTestCase {
    /// Else a hundred processes that want to save would leave no processor to the one that does.
    func testAProcessThatWaitsForTheLockLooksAtMostEachSecond() throws {
      var agenda = SaveAgenda()
      let soon = SaveAgenda.Instant.now + .milliseconds(500)
      XCTAssertLessThan(try XCTUnwrap(agenda.next), soon)
      agenda.lockWaiters = 2
      XCTAssertGreaterThan(try XCTUnwrap(agenda.next), soon)
      agenda.lockWaiters = 0
      XCTAssertLessThan(try XCTUnwrap(agenda.next), soon)
    }
  }
#endif
