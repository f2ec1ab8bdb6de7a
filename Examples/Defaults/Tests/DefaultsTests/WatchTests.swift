import Foundation
import XCTest

/// `watch` prints each change at once.
final class WatchTests: CommandTestCase {
  /// Starts to watch, and returns when changes are printed.
  private func watch(_ words: String...) throws -> Command {
    let command = try Command([Command.program.path, "watch"] + words, in: folder)
    // It prints only changes, so changes are made until it prints one.
    let key = words.count > 1 ? words[1] : "ready"
    var number = 0
    repeat {
      number += 1
      try defaults("write", words[0], key, "\(number)")
    } while !command.hasOutput(within: 100)
    try defaults("write", words[0], key, "end")
    while let line = command.line(), line != "\(key) = end;" {}
    return command
  }

  func testEachChangeIsALine() throws {
    let watch = try watch("app")
    try defaults("write", "app", "volume", "-int", "7")
    XCTAssertEqual(watch.line(), "volume = 7;")
    try defaults("write", "app", "volume", "-bool", "true")
    XCTAssertEqual(watch.line(), "volume = 1;")
    try defaults("write", "app", "volume", "-int", "1")
    XCTAssertEqual(watch.line(), "volume = 1;", "of another type")
    try defaults("write", "app", "b c", "{ a = (1, 2); }")
    XCTAssertEqual(watch.line(), "\"b c\" = { a = ( 1, 2 ); };")
    try defaults("rename", "app", "b c", "d")
    XCTAssertEqual([watch.line(), watch.line()], ["\"b c\" is deleted", "d = { a = ( 1, 2 ); };"])
    try defaults("delete", "app", "d")
    XCTAssertEqual(watch.line(), "d is deleted")
    watch.stop()
    XCTAssertEqual(try watch.end().errors, "")
  }

  func testOneKeyIsWatched() throws {
    let watch = try watch("app", "volume")
    try defaults("write", "app", "other", "1")
    try defaults("write", "app", "volume", "8")
    XCTAssertEqual(watch.line(), "volume = 8;")
    watch.stop()
  }
}
