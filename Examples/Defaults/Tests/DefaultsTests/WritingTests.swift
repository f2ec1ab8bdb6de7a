import Foundation
import TypedDefaults
import XCTest

/// What the command writes, and what it refuses.
final class WritingTests: CommandTestCase {
  private func contents(_ domain: String = "app") throws -> [String: Any] {
    let data = try Data(contentsOf: folder.appending(path: "\(domain).plist"))
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    return try XCTUnwrap(list as? [String: Any])
  }

  func testEachTypeIsStoredAsAProgramReadsIt() throws {
    let domain = folder.appending(path: "app").path
    try defaults("write", domain, "bool", "-bool", "yes")
    try defaults("write", domain, "int", "-integer", "9223372036854775807")
    try defaults("write", domain, "unsigned", "-int", "18446744073709551615")
    try defaults("write", domain, "float", "-float", "0.1")
    try defaults("write", domain, "string", "-string", "-int")
    try defaults("write", domain, "data", "-data", "abc")
    try defaults("write", domain, "date", "-date", "2026-01-31T14:00:00+02:00")
    try defaults("write", domain, "array", "-array", "-bool", "true", "b")
    try defaults("write", domain, "dict", "-dict", "a", "-float", "1.5", "b", "-float", "2")
    try defaults("write", domain, "list", "(1, 2)")
    try defaults("write", domain, "xml", "<dict><key>on</key><true/></dict>")
    let store = UserDefaults.saved(suiteName: domain)
    XCTAssertEqual(store.value(for: "bool" as UserDefaults.Key<Bool>), true)
    XCTAssertEqual(store.value(for: "int" as UserDefaults.Key<Int>), .max)
    XCTAssertEqual(store.value(for: "unsigned" as UserDefaults.Key<UInt64>), .max)
    XCTAssertEqual(store.value(for: "float" as UserDefaults.Key<Double>), 0.1)
    XCTAssertEqual(store.value(for: "string" as UserDefaults.Key<String>), "-int")
    XCTAssertEqual(store.value(for: "data" as UserDefaults.Key<Data>), Data([0x0A, 0xBC]))
    XCTAssertEqual(
      store.value(for: "date" as UserDefaults.Key<Date>), Date(timeIntervalSince1970: 1_769_860_800)
    )
    XCTAssertEqual(store.array(forKey: "array")?.first as? Bool, true)
    XCTAssertEqual(store.array(forKey: "array")?.last as? String, "b")
    XCTAssertEqual(
      store.value(for: "dict" as UserDefaults.Key<[String: Double]>), ["a": 1.5, "b": 2])
    XCTAssertEqual(store.value(for: "list" as UserDefaults.Key<[String]>), ["1", "2"])
    XCTAssertEqual(store.value(for: "xml" as UserDefaults.Key<[String: Bool]>), ["on": true])
  }

  func testElementsAndEntriesAreAdded() throws {
    try defaults("write", "app", "list", "-array-add", "a")
    try defaults("write", "app", "list", "-array-add", "b", "-int", "3")
    try defaults("write", "app", "dict", "-dict-add", "a", "1")
    try defaults("write", "app", "dict", "-dict-add", "a", "2", "b", "3")
    XCTAssertEqual(try defaults("read", "app", "list"), "(\n    a,\n    b,\n    3\n)")
    XCTAssertEqual(try contents()["dict"] as? [String: String], ["a": "2", "b": "3"])
    try assert(
      "write", "app", "dict", "-array-add", "a",
      failsWith: "Value for key dict is not an array; cannot append.  Leaving defaults unchanged.")
    try assert(
      "write", "app", "list", "-dict-add", "a", "1",
      failsWith:
        "Value for key list is not a dictionary; cannot append.  Leaving defaults unchanged."
    )
  }

  func testAWholeDomainIsReplaced() throws {
    try defaults("write", "app", "old", "1")
    try defaults("write", "app", "{ a = 1; b = (2); }")
    XCTAssertEqual(try contents().keys.sorted(), ["a", "b"])
    try assert(
      "write", "app", "(1)",
      failsWith: "Rep argument is not a dictionary\nDefaults have not been changed.")
    XCTAssertEqual(try contents().keys.sorted(), ["a", "b"])
  }

  func testKeysAreRenamedAndDeleted() throws {
    try defaults("write", "app", "{ a = 1; b = 2; c = 3; }")
    try defaults("rename", "app", "a", "b")
    XCTAssertEqual(try contents() as? [String: String], ["b": "1", "c": "3"])
    try defaults("rename", "app", "b", "b")
    XCTAssertEqual(try contents() as? [String: String], ["b": "1", "c": "3"])
    try defaults("delete", "app", "b")
    XCTAssertEqual(try contents() as? [String: String], ["c": "3"])
    try defaults("delete", "app")
    XCTAssertEqual(try contents().count, 0)
  }

  func testAnExportIsImported() throws {
    try defaults("write", "app", "{ a = 1; b = (<0102>); }")
    let xml = try defaults("export", "app", "-")
    XCTAssertTrue(xml.hasPrefix("<?xml"))
    try defaults("export", "app", folder.path + "/binary")
    XCTAssertTrue(
      try Data(contentsOf: folder.appending(path: "binary")).starts(with: Data("bplist".utf8)))
    try defaults("write", "other", "{ b = old; c = kept; }")
    try defaults("import", "other", folder.path + "/binary")
    XCTAssertEqual(try contents("other").keys.sorted(), ["a", "b", "c"])
    try defaults("import", "third", "-", input: xml)
    XCTAssertEqual(try defaults("read", "third"), try defaults("read", "app"))
  }

  func testWhatCannotBeImportedChangesNothing() throws {
    try defaults("write", "app", "a", "1")
    let before = try text(of: "app.plist")
    try assert("import", "app", "/not/there", failsWith: "Could not read data from /not/there")
    try write("<plist>", to: "damaged")
    let (damaged, list, poison) = (
      folder.path + "/damaged", folder.path + "/list", folder.path + "/poison"
    )
    try assert("import", "app", damaged, failsWith: "Could not parse property list from \(damaged)")
    try write("(1)", to: "list")
    try assert(
      "import", "app", list,
      failsWith: "Property list \(list) was not a dictionary\nDefaults have not been changed.")
    try write("{ a = 2; p = { \"CF$UID\" = 1; }; }", to: "poison")
    let errors = try defaults("import", "app", poison, fails: 1)
    XCTAssertTrue(errors.contains("a property list cannot hold the dictionary key CF$UID"), errors)
    XCTAssertTrue(
      errors.hasSuffix("defaults: Could not write p; leaving defaults unchanged."), errors)
    XCTAssertEqual(try text(of: "app.plist"), before)
  }

  func testWhatIsNoValueChangesNothing() throws {
    try defaults("write", "app", "a", "1")
    let before = try text(of: "app.plist")
    for (words, message) in [
      (["-int", "x"], "-int takes an integer, not x; leaving defaults unchanged."),
      (["-float", "x"], "-float takes a number, not x; leaving defaults unchanged."),
      (["-bool", "x"], "-bool takes true, false, yes or no, not x; leaving defaults unchanged."),
      (["-data", "0g"], "-data takes hexadecimal digits, not 0g; leaving defaults unchanged."),
      (
        ["-date", "x"],
        "-date takes a date such as 2026-01-31 12:00:00 +0000, not x; leaving defaults unchanged."
      ), (["a", "b"], "Unexpected argument b; leaving defaults unchanged."),
      (["(1"], "Could not parse: (1.  Try single-quoting it."),
      (
        ["-array", "-array", "1"], "Cannot nest composite types (arrays and dictionaries); exiting"
      ),
      (["-dict", "-int", "1", "a"], "Dictionary keys must be strings"),
      (["-dict", "k"], "Key k lacks a corresponding value"),
    ] {
      let command = try Command([Command.program.path, "write", "app", "a"] + words, in: folder)
      let (status, output, errors) = try command.end()
      XCTAssertEqual(errors, "defaults: \(message)")
      XCTAssertEqual(output, "")
      XCTAssertEqual(status, 1)
    }
    XCTAssertEqual(try text(of: "app.plist"), before)
  }
}
