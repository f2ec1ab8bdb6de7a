import Foundation
import Synchronization
import TypedDefaults
import XCTest

extension XCTestCase {
  /// The name of a suite whose file is in a folder of the test's own.
  func makeSuiteName() throws -> String {
    let name = try makeTemporaryFolder().appendingPathComponent("suite").path
    addTeardownBlock { try UserDefaults(suiteName: name)?.flush() }  // Before the folder goes.
    return name
  }

  /// A suite of Foundation's own, whose file is in a folder of the test's own.
  func makeSuite() throws -> UserDefaults {
    try XCTUnwrap(UserDefaults(suiteName: try makeSuiteName()))
  }

  /// One store of each kind.
  func makeStores() throws -> [UserDefaults] {
    [.inMemory(), try makeSuite(), try makeSavedSuite()]
  }

  /// A saved suite, whose file is in a folder of the test's own.
  func makeSavedSuite() throws -> UserDefaults {
    let name = try makeTemporaryFolder().appendingPathComponent("suite").path
    addTeardownBlock { try UserDefaults.saved(suiteName: name).flush() }  // Before the folder goes.
    return .saved(suiteName: name)
  }

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
