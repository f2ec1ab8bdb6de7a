import Foundation
import Synchronization
import TypedDefaults
import XCTest

extension XCTestCase {
  /// A suite of Foundation's own, whose file is in a folder of the test's own.
  func makeSuite() throws -> UserDefaults {
    let suite = try makeTemporaryFolder().appendingPathComponent("suite").path
    let userDefaults = try XCTUnwrap(UserDefaults(suiteName: suite))
    nonisolated(unsafe) let saved = userDefaults
    addTeardownBlock { try saved.flush() }  // Before the folder goes.
    return userDefaults
  }

  /// One store of each kind.
  func makeStores() throws -> [UserDefaults] { [.inMemory(), try makeSuite()] }

  /// Collects the issues reported until the test ends.
  func recordIssues() -> IssueRecorder {
    let recorder = IssueRecorder()
    DefaultsIssue.setHandler { recorder.append($0) }
    addTeardownBlock { DefaultsIssue.setHandler(nil) }
    return recorder
  }
}

final class IssueRecorder: Sendable {
  private let recorded = Mutex<[DefaultsIssue]>([])

  func append(_ issue: DefaultsIssue) { recorded.withLock { $0.append(issue) } }

  /// The issues since the last time they were taken.
  func take() -> [DefaultsIssue] {
    recorded.withLock { recorded in
      defer { recorded = [] }
      return recorded
    }
  }
}

/// The text of an object in the XML format, to see that it is the same.
func xml(_ object: Any?) -> String {
  guard let object else { return "nothing" }
  let data = try? PropertyListSerialization.data(
    fromPropertyList: ["object": object], format: .xml, options: 0)
  return data.map { String(decoding: $0, as: UTF8.self) } ?? "not a property list: \(object)"
}
