import Foundation
import XCTest

extension XCTestCase {
  /// A new folder that is removed after the test.
  func temporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "TypedDefaults-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    addTeardownBlock { try FileManager.default.removeItem(at: folder) }
    return folder
  }

  /// The name of a new suite, whose file lies in a folder of its own and goes with it.
  func temporarySuiteName() throws -> String {
    let name = try temporaryFolder().appending(path: "suite").path
    // Nothing is left to be saved when the process ends.
    addTeardownBlock { UserDefaults.standard.removePersistentDomain(forName: name) }
    return name
  }

  /// Runs a body that waits for values, and cancels it if one does not come.
  func withDeadline(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let task = Task { try await body() }
    let deadline = Task {
      try await Task.sleep(for: .seconds(20))
      XCTFail("a value did not come")
      task.cancel()
    }
    defer { deadline.cancel() }
    try await task.value
  }
}
