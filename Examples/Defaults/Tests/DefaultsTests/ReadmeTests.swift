import Foundation
import XCTest

final class ReadmeTests: CommandTestCase {
  func testTheFirstTranscriptIsWhatTheCommandPrints() throws {
    let readme = (0..<3).reduce(URL(filePath: #filePath)) { url, _ in
      url.deletingLastPathComponent()
    }
    .appending(path: "README.md")
    let text = try String(contentsOf: readme, encoding: .utf8)
    let block = try XCTUnwrap(
      text.firstMatch(of: /```console\n(.+?)\n```/.dotMatchesNewlines())?.1)
    var shown: [(command: Substring, output: [Substring])] = []
    for line in block.split(separator: "\n") {
      if line.hasPrefix("$ ") {
        shown.append((line.dropFirst(2), []))
      } else {
        shown[shown.count - 1].output.append(line)
      }
    }
    XCTAssertGreaterThan(shown.count, 5)
    for (line, output) in shown {
      let words = line.split(separator: " ").map(String.init)
      XCTAssertEqual(words.first, "defaults")
      let command = try Command([Command.program.path] + words.dropFirst(), in: folder)
      let ended = try command.end()
      XCTAssertEqual(ended.status, 0, ended.errors)
      XCTAssertEqual(ended.output, output.joined(separator: "\n"), "\(line)")
    }
  }
}
