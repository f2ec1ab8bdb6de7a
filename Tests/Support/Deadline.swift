import XCTest

extension XCTestCase {
  /// Runs a body that waits for values, and cancels it if one does not come.
  func withDeadline(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let task = Task { try await body() }
    let deadline = Task {
      try await Task.sleep(for: .seconds(60))
      XCTFail("a value did not come")
      task.cancel()
    }
    defer { deadline.cancel() }
    try await task.value
  }
}
