#if os(Linux) || os(Android)
  import Foundation
  import XCTest

  @testable import TestSupport
  @testable import TypedDefaults

  /// Random and damaged property lists, beside Foundation's parser and serializer.
  final class PropertyListFuzzTests: XCTestCase {
    /// With FUZZ_SEED a failure can be seen again, and with FUZZ_ROUNDS the tests take longer.
    private var generator = SeededGenerator(
      seed: ProcessInfo.processInfo.environment["FUZZ_SEED"].flatMap { UInt64($0) }
        ?? .random(in: 0 ... .max))
    private let rounds = ProcessInfo.processInfo.environment["FUZZ_ROUNDS"].flatMap { Int($0) }

    // MARK: Random objects

    func testRandomObjectsAreWrittenByteForByteAsFoundationWritesThem() throws {
      for _ in 0..<(rounds ?? 1_000) {
        let key = text()
        let object = object(depth: 0)
        let expected = try PropertyListSerialization.data(
          fromPropertyList: [key: object], format: .xml, options: 0)
        let isXML = !expected.contains { $0 < 0x20 && !"\t\n\r".utf8.contains($0) }
        var contents = PreferencesContents()
        try contents.set(PropertyListObject(object), for: key)
        let written = try contents.data()
        guard written == expected || !isXML else {
          return XCTFail("\(generator) \(String(decoding: written, as: UTF8.self))")
        }
        let read = try PropertyListSerialization.propertyList(from: written, format: nil)
        XCTAssertEqual(
          contents[key], (read as? [String: Any])?[key].map { PropertyListObject($0) },
          "\(generator)")
      }
    }

    func testRandomObjectsAreReadFromABinaryListAsTheyWereWritten() throws {
      for _ in 0..<(rounds ?? 1_000) {
        let key = text()
        let object = object(depth: 0)
        let file = try PropertyListSerialization.data(
          fromPropertyList: [key: object], format: .binary, options: 0)
        XCTAssertEqual(
          try PreferencesContents(parsing: file)[key], PropertyListObject(object), "\(generator)")
      }
    }

    private func object(depth: Int) -> Any {
      switch Int.random(in: 0..<(depth < 12 ? 12 : 9), using: &generator) {
      case 0: Bool.random(using: &generator)
      case 1: Int.random(in: .min ... .max, using: &generator)
      case 2: UInt64.random(in: 0 ... .max, using: &generator)
      case 3: Double(bitPattern: UInt64.random(in: 0 ... .max, using: &generator))
      case 4:
        [0, -0.0, 0.1, 1e300, .nan, .infinity, -.infinity, 1e-300].randomElement(using: &generator)!
      case 5:
        // Whole seconds, because Foundation takes a wrong minute for the last moment of one.
        Date(timeIntervalSinceReferenceDate: Double(second()))
      case 6:
        Data(
          (0..<Int.random(in: 0...200, using: &generator)).map {
            UInt8(truncatingIfNeeded: $0 &* 37)
          })
      case 7: text()
      case 8: number()
      case 9, 10:
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in object(depth: depth + 1) }
      default:
        Dictionary(
          (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            (text(), object(depth: depth + 1))
          }
        ) { $1 }
      }
    }

    private func second() -> Int {
      Bool.random(using: &generator)
        ? Int.random(in: -1_000_000_000_000_000...1_000_000_000_000_000, using: &generator)
        : Int.random(in: -70_000_000_000...10_000_000_000, using: &generator)
    }

    private func number() -> NSNumber {
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: NSNumber(value: Bool.random(using: &generator))
      case 1: NSNumber(value: Int8.random(in: .min ... .max, using: &generator))
      case 2: NSNumber(value: UInt8.random(in: .min ... .max, using: &generator))
      case 3: NSNumber(value: UInt32.random(in: .min ... .max, using: &generator))
      case 4: NSNumber(value: Float.random(in: -1e9...1e9, using: &generator))
      default: NSNumber(value: Int64.random(in: .min ... .max, using: &generator))
      }
    }

    /// No accents that combine: Foundation finds such keys equal to others.
    private func text() -> String {
      let scalars = (0..<Int.random(in: 0...20, using: &generator)).compactMap { _ in
        Unicode.Scalar(
          UInt32.random(
            in: 0...[0x7F, 0x2FF, 0xFFFF, 0x1FFFF].randomElement(using: &generator)!,
            using: &generator))
      }.filter { scalar in
        !scalar.properties.isDefaultIgnorableCodePoint
          && scalar.properties.canonicalCombiningClass == .notReordered
          && scalar.properties.generalCategory != .unassigned
      }
      return String(String.UnicodeScalarView(scalars)).precomposedStringWithCanonicalMapping
    }

    // MARK: Damaged files

    private let settings: [String: Any] = [
      "string": "<&\"'>\r\n\t\u{1}é\u{1F600}", "": "empty key", "a\"<&>": "", "int": -1,
      "large": UInt64.max, "real": 0.1, "infinite": -Double.infinity, "true": true, "false": false,
      "data": Data((0..<200).map { UInt8($0) }), "date": Date(timeIntervalSinceReferenceDate: -5e9),
      "array": [1, "two", [3.5, [String: Any]()] as [Any], [Any]()] as [Any],
      "dictionary": ["a": ["b": ["c": true]]],
    ]

    /// What Foundation's parser reads is read, and equal.
    func testDamagedFilesAreReadAsFoundationReadsThem() throws {
      let file = try PropertyListSerialization.data(
        fromPropertyList: settings, format: .xml, options: 0)
      var readable = 0
      for round in 0..<(rounds ?? 1_000) {
        let damaged =
          round.isMultiple(of: 2) ? generator.mutated(file) : generator.withOtherTags(file)
        let parsed =
          try? PropertyListSerialization.propertyList(from: damaged, format: nil) as? [String: Any]
        let read = try? PreferencesContents(parsing: damaged)
        guard let read, let parsed else {
          // A date that is none, or a reference of NSKeyedArchiver, is nothing for a setting.
          if read == nil, parsed == nil || parsed.map(Self.isUnfit) == true { continue }
          return XCTFail("\(generator) \(String(decoding: damaged, as: UTF8.self))")
        }
        readable += 1
        for (key, object) in parsed where read.objects[key] != PropertyListObject(object) {
          return XCTFail("\(generator) \(key) \(String(decoding: damaged, as: UTF8.self))")
        }
        XCTAssertEqual(Set(read.keys), Set(parsed.keys), "\(generator)")
      }
      XCTAssertGreaterThan(readable, 0)
    }

    private static func isUnfit(_ object: Any) -> Bool {
      switch object {
      case let array as [Any]: array.contains(where: isUnfit)
      case let dictionary as [String: Any]:
        dictionary.keys.elementsEqual(["CF$UID"]) || dictionary["CF$UID"] != nil
          || dictionary.values.contains(where: isUnfit)
      case let date as Date: !Date.propertyListRange.contains(date.timeIntervalSinceReferenceDate)
      default: !(object is String || object is NSNumber || object is Data)
      }
    }

    /// What is read is what Foundation's parser reads. It ends the process at some of the others.
    func testDamagedBinaryFilesAreReadAsFoundationReadsThemOrNotAtAll() throws {
      let file = try PropertyListSerialization.data(
        fromPropertyList: settings, format: .binary, options: 0)
      var readable = 0
      for _ in 0..<(rounds ?? 3_000) {
        let damaged = generator.mutated(file)
        guard let read = try? PreferencesContents(parsing: damaged) else { continue }
        readable += 1
        let parsed =
          try? PropertyListSerialization.propertyList(from: damaged, format: nil) as? [String: Any]
        let objects = read.objects
        guard let parsed, Set(parsed.keys) == Set(objects.keys),
          parsed.allSatisfy({ objects[$0] == PropertyListObject($1) })
        else { return XCTFail("\(generator) \(damaged.base64EncodedString())") }
        let written = try PreferencesContents(parsing: read.data())
        XCTAssertEqual(written.keys.sorted(), read.keys.sorted(), "\(generator)")
      }
      XCTAssertGreaterThan(readable, 0)
    }
  }

  extension RandomNumberGenerator {
    /// The file with one to three of its tags removed, doubled, exchanged or joined by others.
    fileprivate mutating func withOtherTags(_ file: Data) -> Data {
      let others = [
        "<!-- a -->", "<string/>", "<string>\u{FEFF}a</string>", "<![CDATA[<x>]]>", "&#65;",
        "&#x42;",
        "&quot;", " ", "\r\n", "<?x?>", "<true />", "<true></true>", "<integer> 5</integer>",
        "<integer>0x1F</integer>", "<integer>+7</integer>", "<integer>5 </integer>", "<data/>",
        "<real>1e999</real>", "<real>.5</real>", "<real>0x10</real>", "<real>NaN</real>",
        "<array/>",
        "<date>2026-13-01T00:00:00Z</date>", "<date>-12-02-30T99:00:00Z</date>", "<dict></dict>",
        "<dict><key>CF$UID</key><integer>1</integer></dict>",
        "<key>CF$UID</key><integer>1</integer>",
        "<array a=\"b\">", "</array\n>", "<key>int</key>", "<plist>", "</plist>", "x",
      ]
      var tags = String(decoding: file, as: UTF8.self).split(
        separator: "<", omittingEmptySubsequences: false
      ).enumerated().map { ($0 > 0 ? "<" : "") + $1 }
      for _ in 0..<Int.random(in: 1...3, using: &self) {
        let index = Int.random(in: 0..<tags.count, using: &self)
        switch Int.random(in: 0..<5, using: &self) {
        case 0 where tags.count > 1: tags.remove(at: index)
        case 1: tags.insert(tags[index], at: index)
        case 2: tags.swapAt(index, Int.random(in: 0..<tags.count, using: &self))
        default: tags.insert(others.randomElement(using: &self)!, at: index)
        }
      }
      return Data(tags.joined().utf8)
    }
  }
#endif
