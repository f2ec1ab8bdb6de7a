import Foundation
import TypedDefaults
import XCTest

/// The command works beside running programs, and says what it could not do.
final class SafetyTests: CommandTestCase {
  func testAHundredWritersLoseNothingBesideARunningProgram() throws {
    let domain = folder.appending(path: "app").path
    let store = UserDefaults.saved(suiteName: domain)
    var numbers = Array(0..<100)
    while !numbers.isEmpty {
      let writers = try numbers.map { number in
        let words = ["write", domain, "list", "-array-add", "-int", "\(number)"]
        return (number, try Command([Command.program.path] + words, in: folder))
      }
      for number in numbers { store.set(number, for: .init(name: "own\(number)")) }
      // On a busy machine, one may wait ten seconds for the lock. It says so, and is run again.
      numbers = try writers.compactMap { number, writer in
        let (status, output, errors) = try writer.end()
        XCTAssertEqual(output, "")
        if status == 0 {
          XCTAssertEqual(errors, "")
          return nil
        }
        XCTAssertTrue(errors.contains("another process holds the lock"), errors)
        return number
      }
      XCTAssertLessThan(numbers.count, writers.count)
    }
    try store.flush()
    let list = try XCTUnwrap(store.value(for: "list" as UserDefaults.Key<[Int]>))
    XCTAssertEqual(list.sorted(), Array(0..<100))
    XCTAssertEqual(try defaults("read", domain).matches(of: /own[0-9]+ = [0-9]+;/).count, 100)
  }

  func testARunningProgramHearsOfAChange() async throws {
    let domain = folder.appending(path: "app").path
    let store = UserDefaults.saved(suiteName: domain)
    var volumes = store.updates(for: "volume" as UserDefaults.Key<Int>).makeAsyncIterator()
    let first = await volumes.next()
    XCTAssertEqual(first, .some(nil))
    try defaults("write", domain, "volume", "-int", "7")
    let second = await volumes.next()
    XCTAssertEqual(second, 7)
  }

  func testADamagedFileIsLeftAlone() throws {
    try write("<plist><dict>", to: "app.plist")
    for words in [
      ["read", "app"], ["read", "app", "a"], ["write", "app", "a", "1"],
      ["write", "app", "{a = 1;}"],
      ["delete", "app"], ["rename", "app", "a", "b"], ["export", "app", "-"],
    ] {
      let (status, output, errors) = try Command([Command.program.path] + words, in: folder).end()
      XCTAssertEqual(status, 1)
      XCTAssertEqual(output, "")
      let start = "defaults: Domain app is left alone: \(folder.path)/app.plist is damaged: "
      XCTAssertTrue(errors.hasPrefix(start), errors)
      XCTAssertFalse(errors.contains("\n"), "once: \(errors)")
    }
    XCTAssertEqual(try text(of: "app.plist"), "<plist><dict>")
    XCTAssertEqual(try files, ["app.plist"])
  }

  func testItSaysWhyAChangeIsNotSaved() throws {
    try defaults("write", "app", "a", "1")
    let before = try text(of: "app.plist")
    let command = try Command(
      ["/bin/sh", "-c", "ulimit -f 0; exec defaults write app a 2"], in: folder)
    let (status, output, errors) = try command.end()
    XCTAssertEqual(status, 1)
    XCTAssertEqual(output, "")
    XCTAssertEqual(
      errors,
      """
      defaults: The preferences could not be saved in \(folder.path)/app.plist: File too large. The \
      changes are undone.
      """)
    XCTAssertEqual(try text(of: "app.plist"), before)
  }
}
