import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

private struct Settings: SettingsGroup {
  @WrappedDefaultOptional("a") var a: [String]?
  @WrappedDefault("count") var count = 4
}

/// Objects that are nested too deep, or that a few bytes make too many.
final class NestedObjectsTests: XCTestCase {
  /// The most arrays in each other that a value, and a file, can hold.
  private let (mostOfValue, most) = (64, 511)

  /// A binary list of 30 arrays, each of which has the next one twice.
  private func sharedArrays() -> Data {
    var objects: [[UInt8]] = [[0xD1, 1, 2], [0x51, UInt8(ascii: "a")]]
    for index in 2..<32 { objects.append([0xA2, UInt8(index + 1), UInt8(index + 1)]) }
    return Self.binaryList(objects + [[0x09]])
  }

  private static func binaryList(_ objects: [[UInt8]]) -> Data {
    var list = Data("bplist00".utf8)
    var offsets = Data()
    for object in objects {
      offsets += [UInt8(list.count >> 8), UInt8(list.count & 0xFF)]
      list += object
    }
    let end = list.count
    list += offsets + Data(count: 6) + [2, 1]
    for number in [objects.count, 0, end] {
      list += Data(count: 6) + [UInt8(number >> 8), UInt8(number & 0xFF)]
    }
    return list
  }

  private func xml(arrays: Int) -> Data {
    let (start, end) = ("<plist><dict><key>a</key>", "</dict></plist>")
    return Data(
      (start + String(repeating: "<array>", count: arrays)
        + String(repeating: "</array>", count: arrays) + end).utf8)
  }

  private func binary(arrays: Int) -> Data {
    // Two bytes for a reference: 0xA1 and the number of the next array.
    var list = Data("bplist00".utf8) + [0xD1, 0, 1, 0, 2, 0x51, UInt8(ascii: "a")]
    var offsets: [Int] = [8, 13]
    for index in 2..<arrays + 2 {
      offsets.append(list.count)
      list +=
        index == arrays + 1 ? [0xA0] : [0xA1, UInt8((index + 1) >> 8), UInt8((index + 1) & 0xFF)]
    }
    let end = list.count
    for offset in offsets {
      list += [UInt8(offset >> 16), UInt8(offset >> 8 & 0xFF), UInt8(offset & 0xFF)]
    }
    list += Data(count: 6) + [3, 2]
    for number in [arrays + 2, 0, end] {
      list +=
        Data(count: 5) + [UInt8(number >> 16), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
    }
    return list
  }

  /// Never released, because Swift itself releases an array in an array by recursion.
  private static nonisolated(unsafe) var kept: [Any] = []

  private func nested(_ count: Int) -> Any {
    var object: Any = [Any]()
    for _ in 1..<count { object = [object] }
    Self.kept.append(object)
    return object
  }

  private func depth(_ object: Any?) -> Int {
    var (depth, object) = (0, object)
    while let array = object as? [Any] { (depth, object) = (depth + 1, array.first) }
    return depth
  }

  func testSharedObjectsThatStandForTooManyAreNotImported() throws {
    let settings = Settings(in: .inMemory())
    settings.count = 7
    let start = ContinuousClock.now
    XCTAssertThrowsError(try settings.importData(sharedArrays())) {
      XCTAssertEqual(($0 as? DefaultsIssue)?.kind, .undecodableValue)
    }
    XCTAssertLessThan(ContinuousClock.now - start, .seconds(20))
    XCTAssertEqual(settings.count, 7)
  }

  func testSharedObjectsThatStandForFewAreImported() throws {
    // An array that has one string three times.
    let list = Self.binaryList([
      [0xD1, 1, 2], [0x51, UInt8(ascii: "a")], [0xA3, 3, 3, 3], [0x51, UInt8(ascii: "x")],
    ])
    let settings = Settings(in: .inMemory())
    try settings.importData(list)
    XCTAssertEqual(settings.a, ["x", "x", "x"])
  }

  func testWhatIsNestedTooDeepIsNotImported() throws {
    let settings = Settings(in: .inMemory())
    for data in [
      xml(arrays: 50_000), binary(arrays: 50_000), xml(arrays: most + 1), binary(arrays: most + 2),
    ] {
      XCTAssertThrowsError(try settings.importData(data)) { error in
        XCTAssertTrue("\(error)".contains("the data is not a property list"), "\(error)")
      }
    }
    for data in [xml(arrays: most), binary(arrays: most)] {
      XCTAssertThrowsError(try settings.importData(data)) { error in
        XCTAssertTrue("\(error)".contains("nested deeper than 64 levels"), "\(error)")
      }
    }
    // Of the right depth, but of the wrong type.
    for data in [xml(arrays: mostOfValue), binary(arrays: mostOfValue)] {
      XCTAssertThrowsError(try settings.importData(data)) { error in
        XCTAssertTrue("\(error)".contains("expected a list in brackets"), "\(error)")
      }
    }
  }

  /// Foundation's writers are quadratic in the depth.
  func testTheTimeOfAnExportHardlyGrowsWithTheDepthThatAValueMayHave() throws {
    struct Tree: Codable, UserDefaultsSerializable {}
    struct Settings: SettingsGroup { @WrappedDefaultOptional("a") var a: Tree? }
    for end in ["x", "\u{1}"] {
      func time(depth: Int) throws -> Duration {
        var object: Any = end
        for _ in 1..<depth { object = ["a": object] }
        let settings = Settings(
          in: .inMemory(["a": ["list": Array(repeating: object, count: 4_000 / depth)]]))
        return try threadTime { _ = try settings.exportData() }
      }
      XCTAssertLessThan(try time(depth: 60), try time(depth: 4) * 20)
    }
  }

  func testARawValueThatIsNestedTooDeepIsRefused() throws {
    for store in [UserDefaults.inMemory(), try makeSavedSuite()] {
      let issues = recordIssues()
      store.set("old", forKey: "key")
      for count in [mostOfValue + 1, most + 1, 50_000] { store.set(nested(count), forKey: "key") }
      XCTAssertEqual(store.string(forKey: "key"), "old")
      store.set(["in a dictionary": nested(50_000)], forKey: "key")
      XCTAssertEqual(store.string(forKey: "key"), "old")
      let reported = issues.take()
      XCTAssertEqual(reported.map(\.kind), Array(repeating: .unencodableValue, count: 4))
      XCTAssertTrue(
        reported.allSatisfy { "\($0)".contains("nested deeper than 64 levels") }, "\(reported)")

      store.register(defaults: ["registered": nested(50_000), "other": 1])
      XCTAssertNil(store.object(forKey: "registered"))
      XCTAssertEqual(store.integer(forKey: "other"), 1)

      store.set(nested(mostOfValue), forKey: "key")
      XCTAssertEqual(depth(store.object(forKey: "key")), mostOfValue)
      // A comparison of the two.
      store.set(nested(mostOfValue), forKey: "key")
      try store.flush()
      XCTAssertEqual(issues.take().map(\.kind), [])
    }
  }

  #if !TYPED_DEFAULTS_PLATFORM_SAVES
    func testWhatIsNestedAsDeepAsCanBeIsReadFromTheFile() throws {
      let folder = try TemporaryFolder()
      for data in [xml(arrays: most), binary(arrays: most)] {
        try folder.write(data)
        let store = UserDefaults.saved(suiteName: folder.path + "/Probe")
        XCTAssertEqual(depth(store.object(forKey: "a")), most)
        store.set(true, forKey: "b")
        try store.flush()
        // By Foundation.
        XCTAssertEqual(depth(try folder.contents()?["a"]), most)
      }
    }

    func testIntegersOfABinaryFileAreOfTheTypesThatFoundationReads() throws {
      let folder = try TemporaryFolder()
      let numbers: [Any] = [
        0, 200, 70_000, 5_000_000_000, -1, Int.max, Int.min, UInt64(Int.max) + 1, UInt64.max,
      ]
      let settings: [String: Any] = ["numbers": numbers, "one": 7, "list": [1, 300, -70_000]]
      try folder.write(
        PropertyListSerialization.data(fromPropertyList: settings, format: .binary, options: 0))
      let store = UserDefaults.saved(suiteName: folder.path + "/Probe")
      XCTAssertEqual(store.object(forKey: "one") as? Int, 7)
      XCTAssertEqual(store.object(forKey: "list") as? [Int], [1, 300, -70_000])
      for (number, read) in zip(numbers, try XCTUnwrap(store.array(forKey: "numbers"))) {
        XCTAssertEqual(read as? Int, number as? Int)
        XCTAssertTrue(type(of: read) == type(of: number), "\(type(of: read)) \(number)")
      }
    }

    func testAFileThatStandsForTooMuchIsDamagedAndTheProgramGoesOn() throws {
      // What seems damaged must stand still for two seconds before it is replaced.
      try sideBySide([sharedArrays(), xml(arrays: 50_000), binary(arrays: 50_000)]) { data in
        let folder = try TemporaryFolder()
        try folder.write(data)
        let start = ContinuousClock.now
        let (end, output, errors) = try ChildProcess(
          ["saving", "saved", "get:a", "set:b=1", "flush-until-saved", "flush", "get:b"], in: folder
        ).wait()
        XCTAssertLessThan(ContinuousClock.now - start, .seconds(60))
        XCTAssertEqual(end, .exit(0))
        XCTAssertEqual(output.suffix(2), ["flushed", "1"])
        XCTAssertTrue(errors.contains("is damaged"), errors)
        XCTAssertEqual(try Data(contentsOf: URL(filePath: folder.plist() + ".damaged-1")), data)
      }
    }
  #endif
}
