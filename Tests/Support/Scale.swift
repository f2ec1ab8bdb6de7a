import Foundation
import Synchronization

/// How much tests do that could go on for ever. With `TYPED_DEFAULTS_LONG_TESTS` they do all of it, as in CI.
enum Scale {
  // Empty where a script hands on what is not set.
  static let isLong =
    ProcessInfo.processInfo.environment["TYPED_DEFAULTS_LONG_TESTS", default: ""] != ""

  /// A release build of the probe with the toolchain's libraries in it, which CI makes.
  static let staticProbe = ProcessInfo.processInfo.environment["TYPED_DEFAULTS_STATIC_PROBE"]

  static func rounds(_ short: Int, long: Int) -> Int { isLong ? long : short }
}

/// Runs a body for each element, five at a time, and throws the first error. For what mostly waits.
func sideBySide<Element>(_ elements: [Element], _ body: (Element) throws -> Void) throws {
  let error = TestMutex<(any Error)?>(nil)
  withoutActuallyEscaping(body) { body in
    nonisolated(unsafe) let elements = elements
    // A queue may keep an operation a moment longer than it takes.
    nonisolated(unsafe) var kept: ((Element) throws -> Void)? = body
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 5
    for index in elements.indices {
      queue.addOperation {
        do {
          try kept?(elements[index])
        } catch let thrown {
          error.withLock { $0 = $0 ?? thrown }
        }
      }
    }
    queue.waitUntilAllOperationsAreFinished()
    kept = nil
  }
  if let error = error.withLock(\.self) { throw error }
}
