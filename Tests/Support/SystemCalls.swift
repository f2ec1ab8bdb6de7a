import Foundation
import XCTest

/// The program strace, by which tests see the system calls of others, and make some fail.
enum SystemCalls {
  private static let path = "/usr/bin/strace"

  /// Why tests cannot use it; nil if they can.
  private static let obstacle: String? = {
    guard FileManager.default.isExecutableFile(atPath: path) else {
      return "strace is not installed"
    }
    let (end, _, errors) =
      (try? ChildProcess(
        ["-c", "true"], in: TemporaryFolder(), program: "/bin/sh",
        startedBy: [path, "-f", "-o", "/dev/null"]
      ).wait()) ?? (.exit(-1), [], "")
    return end == .exit(0) ? nil : "strace may not be used here: \(errors)"
  }()

  /// Returns its path, or skips the test. Call it where no assertion is around: in one, a skip is a failure.
  static func tracer() throws -> String {
    if let obstacle { throw XCTSkip(obstacle) }
    return path
  }
}
