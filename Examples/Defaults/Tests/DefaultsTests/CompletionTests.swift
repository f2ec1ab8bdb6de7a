import Foundation
import XCTest

/// A shell offers commands, domains, keys and types.
final class CompletionTests: CommandTestCase {
  func testTheCommandOffersWords() throws {
    try defaults("write", "app", "{ volume = 1; \"b c\" = 2; }")
    try defaults("write", "other", "a", "1")
    XCTAssertTrue(try defaults("complete").split(separator: "\n").contains("read-type"))
    XCTAssertEqual(try defaults("complete", "read"), "app\nother")
    XCTAssertEqual(try defaults("complete", "read", "app"), "b c\nvolume")
    XCTAssertEqual(try defaults("complete", "read", "missing"), "")
    XCTAssertTrue(
      try defaults("complete", "write", "app", "volume").hasPrefix("-array\n-array-add\n"))
    XCTAssertEqual(try defaults("complete", "write", "app", "volume", "-bool"), "false\ntrue")
    try assert(
      "completion", "csh", failsWith: "There is no completion for csh, only for bash, zsh and fish")
  }

  func testBashCompletes() throws {
    try check("bash", "-c", quoted: #"b\ c"#) { words in
      """
      source <(defaults completion bash)
      COMP_WORDS=(defaults \(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _defaults defaults "${COMP_WORDS[COMP_CWORD]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    }
  }

  func testZshCompletes() throws {
    try check("zsh", "-fc", quoted: "b c") { words in
      // The builtin works only inside the line editor. This one does as it does.
      """
      compdef() {}
      compadd() { for word in $candidates; do [[ $word == ${words[CURRENT]}* ]] && print -r -- $word; done }
      source <(defaults completion zsh)
      words=(defaults \(words)); CURRENT=$#words
      _defaults
      """
    }
  }

  func testFishCompletes() throws {
    try check("fish", "-Nc", quoted: "b c") { words in
      "defaults completion fish | source; complete -C 'defaults \(words.replacing("''", with: ""))'"
    }
  }

  /// - Parameter script: Returns a script that prints what is offered for the last of some words.
  private func check(
    _ shell: String, _ option: String, quoted: String, _ script: (_ words: String) -> String
  ) throws {
    let path = "/usr/bin/\(shell)"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw XCTSkip("\(shell) is not installed")
    }
    // A key is a text, and no command.
    try defaults("write", "app", "{ volume = 1; \"b c\" = 2; \"$(touch made)\" = 3; }")
    try defaults("write", "other", "a", "1")
    func offered(_ words: String) throws -> [String] {
      let (_, output, errors) = try Command([path, option, script(words)], in: folder).end()
      XCTAssertEqual(errors, "")
      return output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }.sorted()
    }
    XCTAssertEqual(try offered("rea"), ["read", "read-type"])
    XCTAssertEqual(try offered("read ''"), ["app", "other"])
    XCTAssertEqual(try offered("read app v"), ["volume"])
    XCTAssertEqual(try offered("read app b"), [quoted])
    XCTAssertEqual(try offered("read app ''").count, 3)
    XCTAssertEqual(try offered("write app volume -i"), ["-int"])
    XCTAssertFalse(FileManager.default.fileExists(atPath: "made"))
  }
}
