import Foundation
import XCTest

/// What the command prints is what macOS prints.
final class ReadingTests: CommandTestCase {
  private let everything = """
    {
        array =     (
            1,
            "two words",
                    (
                x
            ),
                    {
                a = b;
            }
        );
        "b c" = "caf\\U00e9 \\"\\\\\\n";
        data = {length = 3, bytes = 0x0102ff};
        date = "2026-01-31 12:00:00 +0000";
        empty = "";
        emptyArray =     (
        );
        false = 0;
        float = "1.5";
        integer = "-5";
        long = {length = 28, bytes = 0x00010203 04050607 08090a0b 0c0d0e0f ... 14151617 18191a1b };
        string = hello;
        true = 1;
        whole = 2;
    }
    """

  private func writeEverything(to domain: String = "app") throws {
    let long = (0..<28).map { String(format: "%02x", $0) }.joined()
    for words in [
      ["array", "-array", "-int", "1", "two words", "(x)", "{a = b;}"],
      ["b c", "-string", "café \"\\\n"], ["data", "-data", "0102ff"],
      ["date", "-date", "2026-01-31 12:00:00 +0000"], ["empty", "-string", ""],
      ["emptyArray", "-array"], ["false", "-bool", "NO"], ["float", "-float", "1.5"],
      ["integer", "-int", "-5"], ["long", "-data", long], ["string", "hello"],
      ["true", "-boolean", "true"], ["whole", "-float", "2"],
    ] {
      let command = try Command([Command.program.path, "write", domain] + words, in: folder)
      let (status, output, errors) = try command.end()
      XCTAssertEqual(status, 0)
      XCTAssertEqual(output + errors, "")
    }
  }

  func testADomainIsPrintedInTheOldStyle() throws {
    try writeEverything()
    XCTAssertEqual(try defaults("read", "app"), everything)
  }

  func testAValueIsPrintedAsItIs() throws {
    try writeEverything()
    for (key, text, type) in [
      ("string", "hello", "string"), ("b c", "café \"\\\n", "string"), ("integer", "-5", "integer"),
      ("float", "1.5", "float"), ("whole", "2", "float"), ("true", "1", "boolean"),
      ("false", "0", "boolean"), ("data", "{length = 3, bytes = 0x0102ff}", "data"),
      ("date", "2026-01-31 12:00:00 +0000", "date"), ("emptyArray", "(\n)", "array"),
    ] {
      XCTAssertEqual(try defaults("read", "app", key), text)
      XCTAssertEqual(try defaults("read-type", "app", key), "Type is \(type)")
    }
  }

  func testAllDomainsAreListedAndFound() throws {
    XCTAssertEqual(try defaults("domains"), "")
    try defaults("write", "one", "volume", "-int", "1")
    try defaults("write", "org.two", "a", "{ nested = (Loud); }")
    try write("no property list", to: "damaged.plist")
    try write("<plist><dict/></plist>", to: "empty.plist")
    XCTAssertEqual(
      try Command([Command.program.path, "domains"], in: folder).end().output, "one, org.two")
    try FileManager.default.removeItem(at: folder.appending(path: "damaged.plist"))
    XCTAssertEqual(
      try defaults("read"),
      """
      {
          one =     {
              volume = 1;
          };
          "org.two" =     {
              a =         {
                  nested =             (
                      Loud
                  );
              };
          };
      }
      """)
    XCTAssertEqual(
      try defaults("find", "VOL"), "Found 1 keys in domain 'one': {\n    volume = 1;\n}")
    XCTAssertTrue(try defaults("find", "loud").hasPrefix("Found 1 keys in domain 'org.two': {"))
    XCTAssertTrue(try defaults("find", "org.").hasPrefix("Found 1 keys in domain 'org.two': {"))
    let (status, _, errors) = try Command([Command.program.path, "find", "x"], in: folder).end()
    XCTAssertEqual(status, 0, "as on macOS")
    XCTAssertEqual(errors, "defaults: No domain, key, nor value containing 'x'")
  }

  func testWhatIsMissingIsNamed() throws {
    try assert("read", "app", failsWith: "Domain app does not exist")
    try assert("read", "app", "key", failsWith: "Domain app does not exist")
    try assert("export", "app", "-", failsWith: "Domain app does not exist")
    try assert("delete", "app", failsWith: "Domain app does not exist")
    try assert("delete", "app", "key", failsWith: "Domain app does not exist")
    try assert("rename", "app", "key", "new", failsWith: "Domain app does not exist")
    XCTAssertEqual(try files, [], "nothing is made for it")
    try defaults("write", "app", "a", "1")
    let missing = "The domain/default pair of (app, key) does not exist"
    try assert("read", "app", "key", failsWith: missing)
    try assert("read-type", "app", "key", failsWith: missing)
    try assert("delete", "app", "key", failsWith: missing)
    try assert(
      "rename", "app", "key", "new",
      failsWith: "Key key does not exist in domain app; leaving defaults unchanged")
    try defaults("delete", "app", "a")
    try assert("read", "app", failsWith: "Domain app does not exist")
    XCTAssertEqual(try defaults("domains"), "")
  }

  func testTheUsageIsPrintedWhereTheWordsAreNoCommand() throws {
    let usage = try defaults("help")
    XCTAssertTrue(usage.hasPrefix("Command line interface to a user's defaults.\nSyntax:\n"))
    XCTAssertEqual(try defaults(fails: 255), usage)
    XCTAssertEqual(try defaults("reed", "app", fails: 255), usage)
    XCTAssertEqual(try defaults("read-type", "app", fails: 255), usage)
    XCTAssertEqual(try defaults("write", "app", "key", "-int", fails: 255), usage)
  }

  func testADomainMayBeAPathAndIsNeverTheGlobalOne() throws {
    let path = folder.appending(path: "folder/file").path
    try defaults("write", path, "a", "1")
    XCTAssertEqual(try defaults("read", path + ".plist", "a"), "1")
    XCTAssertEqual(try defaults("read", folder.path + "/folder/../folder/file", "a"), "1")
    let shell = "cd \(folder.path)/folder && defaults read ./file a"
    XCTAssertEqual(try Command(["/bin/sh", "-c", shell], in: folder).end().output, "1")
    for domain in ["-g", "-globalDomain", "NSGlobalDomain"] {
      try assert(
        "write", domain, "a", "1",
        failsWith: """
          The global domain is not supported, because programs on Linux do not share it. Name a domain.
          """)
    }
    try assert(
      "read", "-app", "Finder", failsWith: "-app is not supported on Linux. Name a domain.")
    try assert(
      "-currentHost", "read", failsWith: "-currentHost is not supported on Linux. Name a domain.")
  }
}
