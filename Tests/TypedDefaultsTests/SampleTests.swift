import Foundation
import XCTest

@testable import TestSupport

/// The samples of the pages run, as the file that a reader makes of them, and print what they say.
final class SampleTests: XCTestCase {
  /// The blocks of a page are one program, which has no warning, reports nothing, and ends by itself.
  func testEveryPageIsAProgramThatPrintsWhatItsCommentsSay() throws {
    let pages = try Page.readable().filter { $0.name != "Testing" }
    XCTAssertGreaterThanOrEqual(pages.count, 9)
    let folders = try pages.map { _ in try makeTemporaryFolder() }
    let homes = try pages.map { _ in try TemporaryFolder() }
    typealias Ran = (end: ChildProcess.End, output: [String], errors: String)
    let results = TestMutex<[Result<Ran, any Error>?]>(pages.map { _ in nil })
    // Two at a time: a compiler takes a core.
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 2
    for (index, page) in pages.enumerated() {
      queue.addOperation {
        let result = Result {
          let blocks = page.samples.filter { !$0.isForeign }.map(\.sourceWithLocation)
          let program = try Compiler.program(
            blocks.joined(separator: "\n"), in: folders[index], options: Self.swift6)
          return try ChildProcess([], in: homes[index], program: program).wait(until: .now() + 60)
        }
        results.withLock { $0[index] = result }
      }
    }
    queue.waitUntilAllOperationsAreFinished()
    var count = 0
    for (page, result) in zip(pages, results.withLock { $0 }) {
      let ran = try XCTUnwrap(result).get()
      XCTAssertEqual(ran.end, .exit(0), page.name)
      XCTAssertEqual(ran.errors, "", page.name)
      var output = ran.output[...]
      for line in page.samples.filter({ !$0.isForeign }).flatMap(\.printed) {
        let index = output.firstIndex(of: line)
        XCTAssertNotNil(index, "\(page.name) does not print \"\(line)\": \(ran.output)")
        output = output[(index.map { $0 + 1 } ?? output.startIndex)...]
        count += 1
      }
    }
    XCTAssertGreaterThan(count, 20)
  }

  /// The first program of the README prints what the terminal beneath it shows.
  func testTheFirstProgramOfTheReadmeShowsWhatItsTranscriptSays() throws {
    let page = try Page("README.md")
    let home = try TemporaryFolder()
    let program = home.path + "/app"
    let sample = try XCTUnwrap(page.samples.first)
    XCTAssertLessThanOrEqual(sample.lines.count, 10)
    try FileManager.default.moveItem(
      atPath: Compiler.program(
        sample.sourceWithLocation, in: makeTemporaryFolder(), options: Self.swift6),
      toPath: program)
    var shown: [(command: String, output: String)] = []
    for line in try XCTUnwrap(page.transcripts.first).lines {
      if line.hasPrefix("$ ") {
        shown.append((String(line.dropFirst(2)), ""))
      } else {
        shown[shown.count - 1].output += "\(line) "
      }
    }
    XCTAssertEqual(shown.count, 4)
    for (command, output) in shown {
      let words = command.split(separator: " ").map(String.init)
      XCTAssertEqual(words.first, "app")
      let ran = try ChildProcess.run(Array(words.dropFirst()), in: home, program: program)
      XCTAssertEqual((ran.errors + ran.output.joined(separator: " ")).words, output.words)
    }
    XCTAssertEqual(try home.contents(ofPlist: "app") as? [String: Int], ["volume": 7])
    // The landing page begins with the same program.
    XCTAssertEqual(try Page.article("TypedDefaults").samples.map(\.lines), [sample.lines])
  }

  #if canImport(Testing)
    func testTheTestsOfTheArticleOnTestingPass() throws {
      let blocks = try Page.article("Testing").samples.filter { !$0.isForeign }
      let runner = """
        import Testing
        @main struct Runner {
          static func main() async { await Testing.__swiftPMEntryPoint() as Never }
        }
        """
      let program = try Compiler.program(
        blocks.map(\.sourceWithLocation).joined(separator: "\n"), runner,
        in: makeTemporaryFolder(), options: Self.swift6 + ["-parse-as-library"])
      let ran = try ChildProcess.run(in: TemporaryFolder(), program: program)
      let output = ran.output.joined(separator: "\n") + ran.errors
      XCTAssertEqual(ran.end, .exit(0), output)
      let tests = blocks.flatMap(\.lines).filter { $0.contains("@Test") }
      XCTAssertGreaterThanOrEqual(tests.count, 4)
      XCTAssertTrue(output.contains("Test run with \(tests.count) tests"), output)
    }
  #endif

  #if !TYPED_DEFAULTS_PLATFORM_SAVES
    func testTheProgramOfTheArticleOnSavingPrintsAFailureOnceAndItsStatusIsOne() throws {
      let blocks = try Page.article("SavingOnLinux").samples.map(\.sourceWithLocation)
      let program = try Compiler.program(
        blocks.joined(separator: "\n"), in: makeTemporaryFolder(), options: Self.swift6)
      let home = try TemporaryFolder()
      try Data().write(to: URL(filePath: home.path + "/file"))
      let ran = try ChildProcess(
        [], in: home, program: program, environment: ["XDG_CONFIG_HOME": home.path + "/file"]
      ).wait(until: .now() + 60)
      XCTAssertEqual(ran.end, .exit(1))
      let lines = ran.errors.split(separator: "\n")
      XCTAssertEqual(lines.count, 1, ran.errors)
      XCTAssertTrue(lines.first?.hasPrefix("app: The preferences could not be saved") == true)
    }

    // MARK: The end by a signal

    func testASignalEndsTheProgramOfTheArticleWithItsNewestChangeSaved() throws {
      let program = try Self.programWithSignals(
        """
        struct Settings: SettingsGroup { @WrappedDefault("volume") var volume = 4 }
        let settings = Settings(in: .saved)
        while let line = readLine(), let volume = Int(line) {
          settings.volume = volume
          print("assigned")
          fflush(nil)
        }
        dispatchMain()
        """, in: makeTemporaryFolder())
      for signal in [SIGTERM, SIGINT] {
        let home = try TemporaryFolder()
        let child = try ChildProcess([], in: home, program: program)
        for volume in 1...50 {
          try child.send("\(volume)")
          XCTAssertEqual(child.line(), "assigned")
        }
        child.kill(signal)
        let ran = try child.wait(until: .now() + 60)
        XCTAssertEqual(ran.end, .exit(0))
        XCTAssertEqual(ran.errors, "")
        XCTAssertEqual(try home.contents(ofPlist: "program") as? [String: Int], ["volume": 50])
      }
    }

    /// Until Dispatch has installed its handler, a signal ends the program as one that is not handled.
    func testASignalRightAfterTheHandlersAreActiveEndsTheProgramToo() throws {
      let program = try Self.programWithSignals(
        "kill(getpid(), SIGTERM)\nsleep(60)\nexit(1)", in: makeTemporaryFolder())
      for _ in 1...20 {
        let ran = try ChildProcess([], in: TemporaryFolder(), program: program)
          .wait(until: .now() + 30)
        XCTAssertTrue([.exit(0), .signal(SIGTERM)].contains(ran.end), "\(ran.end)")
      }
    }
  #endif

  func testTheFleetEndsByTheSameLinesAsTheArticle() throws {
    let lines = try Self.signalSample().lines.joined(separator: "\n")
    XCTAssertTrue(try Page("Examples/Fleet/README.md").text.contains(lines))
  }

  private static func signalSample() throws -> Sample {
    try XCTUnwrap(
      Page.article("SavingOnLinux").samples.first { $0.lines.contains("import Dispatch") })
  }

  private static func programWithSignals(_ source: String, in folder: URL) throws -> String {
    let sample = try signalSample().sourceWithLocation
    return try Compiler.program(
      "import Foundation\nimport TypedDefaults\n\(sample)\n\(source)", in: folder, options: swift6)
  }

  private static let swift6 = ["-swift-version", "6"]
}

extension String {
  fileprivate var words: [Substring] { split(whereSeparator: \.isWhitespace) }
}
