// Written from Apple's documentation alone: only what the library and its tests use.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// MARK: What the tests use

public typealias TimeInterval = Double
extension Notification {
  public var name: Name { fatalError() }
}
extension FileHandle {
  public func readToEnd() throws -> Data? { nil }
  public func read(upToCount count: Int) throws -> Data? { nil }
}
extension URL {
  public enum DirectoryHint: Sendable {
    case isDirectory, notDirectory, checkFileSystem, inferFromPath
  }
  @available(macOS 13.0, iOS 16.0, *)
  public init(
    filePath path: String, directoryHint: DirectoryHint = .inferFromPath, relativeTo: URL? = nil
  ) {}
  public init(fileURLWithPath path: String, isDirectory: Bool) {}
  public init(fileURLWithPath path: String, relativeTo base: URL?) {}
  public init(fileURLWithPath path: String, isDirectory: Bool, relativeTo base: URL?) {}
  @available(macOS 13.0, iOS 16.0, *)
  public func appending<S: StringProtocol>(
    path: S, directoryHint: DirectoryHint = .inferFromPath
  ) -> URL { self }
  public func appendingPathComponent(_ pathComponent: String) -> URL { self }
  public func deletingLastPathComponent() -> URL { self }
  public func resolvingSymlinksInPath() -> URL { self }
  public var standardizedFileURL: URL { self }
  public var path: String { "" }
  public var lastPathComponent: String { "" }
  public var pathExtension: String { "" }
  public var pathComponents: [String] { [] }
  public func deletingPathExtension() -> URL { self }
  public func appendingPathExtension(_ pathExtension: String) -> URL { self }
  public var hasDirectoryPath: Bool { false }
  public var absoluteURL: URL { self }
}
extension Data {
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public struct WritingOptions: OptionSet, Sendable {
    public static let atomic = Self(rawValue: 1)
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public init(contentsOf url: URL, options: ReadingOptions = []) throws {}
  public init(count: Int) {}
  public init(repeating: UInt8, count: Int) {}
  public func write(to url: URL, options: WritingOptions = []) throws {}
}
extension Date {
  public init() {}
  public init(timeIntervalSince1970 seconds: Double) {}
  public init(timeIntervalSinceNow seconds: Double) {}
  public var timeIntervalSince1970: Double { 0 }
  public static var distantPast: Date { Date() }
  public static var distantFuture: Date { Date() }
  public static var now: Date { Date() }
  public func addingTimeInterval(_ seconds: Double) -> Date { self }
}
extension String.Encoding {
  public static var isoLatin1: String.Encoding { .utf8 }
  public static var utf16: String.Encoding { .utf8 }
}
extension String {
  public init(contentsOf url: URL, encoding: Encoding) throws { self = "" }
  public init(contentsOfFile path: String, encoding: Encoding) throws { self = "" }
}
extension StringProtocol {
  public func replacingOccurrences<Target: StringProtocol, Replacement: StringProtocol>(
    of target: Target, with replacement: Replacement
  ) -> String { "" }
  public func components<T: StringProtocol>(separatedBy separator: T) -> [String] { [] }
  public func trimmingCharacters(in set: CharacterSet) -> String { "" }
  public func range<T: StringProtocol>(
    of string: T, options: NSString.CompareOptions = [], range: Range<Index>? = nil
  ) -> Range<Index>? { nil }
  public func replacingCharacters<T: StringProtocol, R: RangeExpression>(
    in range: R, with replacement: T
  ) -> String where R.Bound == String.Index { "" }
  public var localizedUppercase: String { "" }
  public var localizedCapitalized: String { "" }
}
public struct CharacterSet: Sendable {
  public static var whitespaces: CharacterSet { CharacterSet() }
  public static var whitespacesAndNewlines: CharacterSet { CharacterSet() }
  public static var newlines: CharacterSet { CharacterSet() }
}
extension UUID {
  public init(
    uuid: (
      UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
      UInt8, UInt8, UInt8
    )
  ) {}
}
extension TimeZone {
  public init?(secondsFromGMT seconds: Int) {}
  public static var knownTimeZoneIdentifiers: [String] { [] }
}
extension Locale { public static var availableIdentifiers: [String] { [] } }
extension Decimal: Strideable, SignedNumeric, ExpressibleByFloatLiteral {
  public typealias Magnitude = Decimal
  public init?<T: BinaryInteger>(exactly source: T) { nil }
  public var magnitude: Decimal { self }
  public static func + (left: Decimal, right: Decimal) -> Decimal { left }
  public static func - (left: Decimal, right: Decimal) -> Decimal { left }
  public static func * (left: Decimal, right: Decimal) -> Decimal { left }
  public static func += (left: inout Decimal, right: Decimal) {}
  public static func -= (left: inout Decimal, right: Decimal) {}
  public static func *= (left: inout Decimal, right: Decimal) {}
  public func advanced(by number: Decimal) -> Decimal { self }
  public func distance(to other: Decimal) -> Decimal { self }
  public init(sign: FloatingPointSign, exponent: Int, significand: Decimal) {}
  public init(floatLiteral value: Double) {}
  public init(_ value: Int) {}
  public init(_ value: Double) {}
  public static func < (left: Decimal, right: Decimal) -> Bool { false }
  public static var greatestFiniteMagnitude: Decimal { fatalError() }
  public static var leastNonzeroMagnitude: Decimal { fatalError() }
  public var isNaN: Bool { false }
}
extension Error { public var localizedDescription: String { "" } }
extension FileManager.DirectoryEnumerator: Sequence {
  public struct Iterator: IteratorProtocol { public mutating func next() -> Any? { nil } }
  public func makeIterator() -> Iterator { Iterator() }
}
extension FileManager {
  public func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] { [:] }
  public struct DirectoryEnumerationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public func contentsOfDirectory(
    at url: URL, includingPropertiesForKeys keys: [URLResourceKey]?,
    options mask: DirectoryEnumerationOptions = []
  ) throws -> [URL] { [] }
  public func enumerator(
    at url: URL, includingPropertiesForKeys keys: [URLResourceKey]?,
    options mask: DirectoryEnumerationOptions = [],
    errorHandler handler: ((URL, any Error) -> Bool)? = nil
  ) -> DirectoryEnumerator? { nil }
}
extension NSString: ExpressibleByStringLiteral {
  public struct CompareOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let regularExpression = CompareOptions(rawValue: 1024)
    public static let caseInsensitive = CompareOptions(rawValue: 1)
  }
  public required convenience init(stringLiteral value: StaticString) { fatalError() }
}
extension NSDictionary: ExpressibleByDictionaryLiteral {
  public required convenience init(dictionaryLiteral elements: (Any, Any)...) { fatalError() }
}
