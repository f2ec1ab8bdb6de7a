import Foundation
import TypedDefaults
import XCTest

/// The issues that were reported, in place of lines on standard error.
final class IssueRecorder: @unchecked Sendable {  // `lock` protects the issues.
  private let lock = NSLock()
  private var issues: [DefaultsIssue] = []

  func record(_ issue: DefaultsIssue) { lock.withLock { issues.append(issue) } }

  var all: [DefaultsIssue] { lock.withLock { issues } }
}

extension XCTestCase {
  func recordIssues() -> IssueRecorder {
    let recorder = IssueRecorder()
    DefaultsIssue.setHandler { recorder.record($0) }
    addTeardownBlock { DefaultsIssue.setHandler(nil) }
    return recorder
  }

  /// Waits until a condition holds, for ten seconds at most.
  func waitUntil(
    _ condition: () -> Bool, file: StaticString = #filePath, line: UInt = #line
  ) {
    let deadline = Date() + 10
    while !condition() {
      guard Date() < deadline else { return XCTFail("never", file: file, line: line) }
      usleep(2000)
    }
  }
}
