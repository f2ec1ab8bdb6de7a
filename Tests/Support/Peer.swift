#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import Synchronization
  import XCTest

  /// A `Probe listening`, and what it should print.
  final class Peer {
    private let child: ChildProcess

    init(
      suite: String? = nil, in folder: TemporaryFolder, home: String? = nil,
      environment: [String: String] = [:]
    ) throws {
      child = try ChildProcess(
        ["listening"] + (suite.map { [$0] } ?? []), in: folder,
        environment: environment.merging(home.map { ["XDG_CONFIG_HOME": $0] } ?? [:]) { $1 })
    }

    static func now() -> Int {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Int(time.tv_sec) * 1_000_000 + Int(time.tv_nsec) / 1000
    }

    func tell(_ line: String) throws { try child.send(line) }

    /// The next line; nil, and the end of the process, if it does not come.
    func line(within seconds: Double = ChildProcess.patience) -> String? {
      child.line(until: .now() + seconds)
    }

    func kill() { child.stop() }

    /// Reads a line, and returns the figures with which it goes on.
    func figures(
      of expected: String, skipping skipped: String? = nil,
      within seconds: Double = ChildProcess.patience,
      file: StaticString = #filePath, line: UInt = #line
    ) -> [Int] {
      var printed: String?
      repeat { printed = self.line(within: seconds) } while printed != nil && printed == skipped
      guard let printed, printed.hasPrefix(expected + " ") else {
        XCTFail("\(printed ?? "nothing"), not \(expected)", file: file, line: line)
        return []
      }
      return printed.dropFirst(expected.count).split(separator: " ").compactMap { Int($0) }
    }

    /// Reads as many lines as are expected; in any order, because what listens and what observes are
    /// different threads.
    ///
    /// - Returns: The figure with which each line goes on, if it does.
    @discardableResult
    func expect(
      _ expected: String..., within seconds: Double = ChildProcess.patience,
      file: StaticString = #filePath,
      line: UInt = #line
    ) -> [Int] {
      expectUnordered(expected, within: seconds, file: file, line: line)
    }

    @discardableResult
    func expectUnordered(
      _ expected: [String], within seconds: Double = ChildProcess.patience,
      file: StaticString = #filePath,
      line: UInt = #line
    ) -> [Int] {
      var figures = Array(repeating: Int.max / 2, count: expected.count)
      var missing = Set(expected.indices)
      for _ in expected {
        guard let printed = self.line(within: seconds) else {
          XCTFail("none of \(missing.map { expected[$0] })", file: file, line: line)
          break
        }
        let index = missing.first {
          printed == expected[$0] || printed.hasPrefix(expected[$0] + " ")
        }
        guard let index else {
          XCTFail("\(printed), not \(missing.map { expected[$0] })", file: file, line: line)
          continue
        }
        missing.remove(index)
        let figure = printed.dropFirst(expected[index].count + 1).split(separator: " ").first
        figures[index] = figure.flatMap { Int($0) } ?? 0
      }
      return figures
    }

    /// Ends it, and sees that it has heard nothing more.
    func end(file: StaticString = #filePath, line: UInt = #line) throws {
      let (end, output, errors) = try child.wait()
      XCTAssertEqual(end, .exit(0), file: file, line: line)
      XCTAssertEqual(output, [], file: file, line: line)
      XCTAssertEqual(errors, "", file: file, line: line)
    }
  }
#endif
