import Foundation
import Synchronization
import XCTest

@testable import TypedDefaults

extension XCTestCase {
  /// The name of a suite whose file is in a folder of the test's own.
  func makeSuiteName() throws -> String {
    let name = try makeTemporaryFolder().appendingPathComponent("suite").path
    // What fails is an issue of this test, and of no later one.
    addTeardownBlock { try UserDefaults(suiteName: name)?.flush() }
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

  /// One store of each kind, and a subclass of each kind.
  func makeStoresAndSubclasses() throws -> [UserDefaults] {
    try makeStores() + [PlainDefaults(), AnnouncingDefaults()]
  }

  /// A saved suite, whose file is in a folder of the test's own.
  func makeSavedSuite() throws -> UserDefaults {
    let name = try makeTemporaryFolder().appendingPathComponent("suite").path
    addTeardownBlock { try UserDefaults.saved(suiteName: name).flush() }
    return .saved(suiteName: name)
  }

  /// Collects the issues reported until the test ends.
  func recordIssues() -> IssueRecorder {
    DefaultsIssue.waitForReports()  // Those of an earlier test.
    let recorder = IssueRecorder()
    DefaultsIssue.setHandler { recorder.append($0) }
    addTeardownBlock { DefaultsIssue.setHandler(nil) }
    return recorder
  }
}

extension DefaultsIssue {
  /// Returns when what another thread is to report has been reported.
  static func waitForReports() {
    #if !TYPED_DEFAULTS_PLATFORM_SAVES
      let isReported = DispatchSemaphore(value: 0)
      SaveScheduler.tell { isReported.signal() }
      isReported.wait()
    #else
      later.sync {}
    #endif
  }
}

/// A store for several threads. `UserDefaults` is documented to be thread-safe.
struct SharedStore: @unchecked Sendable {
  let instance: UserDefaults
  init(_ instance: UserDefaults) { self.instance = instance }
}

final class IssueRecorder: Sendable {
  private let recorded = TestMutex<[DefaultsIssue]>([])
  private let arrived = DispatchSemaphore(value: 0)

  func append(_ issue: DefaultsIssue) {
    recorded.withLock { $0.append(issue) }
    arrived.signal()
  }

  /// Waits until there are issues, which another thread may report, and takes them.
  func take(atLeast count: Int) -> [DefaultsIssue] {
    while recorded.withLock({ $0.count < count }) {
      if arrived.wait(timeout: .now() + 3) == .timedOut { break }
    }
    return take()
  }

  /// The issues since the last time they were taken.
  func take() -> [DefaultsIssue] {
    DefaultsIssue.waitForReports()
    return recorded.withLock { recorded in
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
