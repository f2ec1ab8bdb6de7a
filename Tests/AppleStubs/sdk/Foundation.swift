// Written from Apple's documentation alone: only what the library and its tests use.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@_exported import Darwin
@_exported import Dispatch
@_exported import Foundation
@_exported import ObjectiveC

// MARK: Bridging

public protocol Bridged: _ObjectiveCBridgeable {}
extension Bridged {
  public func _bridgeToObjectiveC() -> _ObjectiveCType { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ x: _ObjectiveCType, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(
    _ x: _ObjectiveCType, result: inout Self?
  ) -> Bool { fatalError() }
  public static func _unconditionallyBridgeFromObjectiveC(_ x: _ObjectiveCType?) -> Self {
    fatalError()
  }
}
extension String: Bridged { public typealias _ObjectiveCType = NSString }
extension Array: Bridged { public typealias _ObjectiveCType = NSArray }
extension Dictionary: Bridged {
  public typealias _ObjectiveCType = NSDictionary
}
extension Bool: Bridged { public typealias _ObjectiveCType = NSNumber }
extension Int: Bridged { public typealias _ObjectiveCType = NSNumber }
extension UInt64: Bridged { public typealias _ObjectiveCType = NSNumber }
extension Float: Bridged { public typealias _ObjectiveCType = NSNumber }
extension Int64: Bridged { public typealias _ObjectiveCType = NSNumber }
extension Double: Bridged { public typealias _ObjectiveCType = NSNumber }
extension CGFloat: Bridged { public typealias _ObjectiveCType = NSNumber }
extension Data: Bridged { public typealias _ObjectiveCType = NSData }
extension Date: Bridged { public typealias _ObjectiveCType = NSDate }
extension URL: Bridged { public typealias _ObjectiveCType = NSURL }
extension Notification: Bridged { public typealias _ObjectiveCType = NSNotification }
public struct Notification {
  public typealias Name = NSNotification.Name
  public var object: Any?
}

extension Int { public init?(exactly number: NSNumber) { fatalError() } }
extension Int64 { public init?(exactly number: NSNumber) { fatalError() } }
extension UInt64 { public init?(exactly number: NSNumber) { fatalError() } }
extension String {
  public struct Encoding: Sendable { public static let utf8 = Encoding() }
  public init?<S: Sequence>(bytes: S, encoding: Encoding) where S.Element == UInt8 { return nil }
  public init(format: __shared String, _ arguments: any CVarArg...) { self = "" }
}
extension NSLocking {
  public func withLock<R>(_ body: () throws -> R) rethrows -> R { try body() }
}
extension FileHandle {
  public func write<T: DataProtocol>(contentsOf data: T) throws {}
}

// MARK: Values

public struct CGFloat: Sendable, Hashable, Codable, ExpressibleByFloatLiteral,
  ExpressibleByIntegerLiteral
{
  public init(_ other: Double) {}
  public init(floatLiteral value: Double) {}
  public init(integerLiteral value: Int) {}
}
extension CGFloat {
  public static var greatestFiniteMagnitude: CGFloat { 0 }
  public static var infinity: CGFloat { 0 }
  public static func < (left: CGFloat, right: CGFloat) -> Bool { false }
}
extension CGFloat: Comparable {}
extension Double { public init(_ other: CGFloat) { self = 0 } }

public struct CGPoint: Sendable, Hashable, Codable {
  public static var zero: CGPoint { CGPoint(x: 0, y: 0) }
  public init(x: Double, y: Double) {}
}
public struct CGSize: Sendable, Hashable, Codable {
  public init(width: Double, height: Double) {}
}
public struct CGRect: Sendable, Hashable, Codable {
  public init(x: Double, y: Double, width: Double, height: Double) {}
}

public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {}
public struct Data: Sendable, Hashable, Codable, DataProtocol, MutableCollection,
  RangeReplaceableCollection
{
  public typealias Index = Int
  public typealias Indices = Range<Int>
  public init() {}
  public init<S: Sequence>(_ elements: S) where S.Element == UInt8 {}
  public var startIndex: Index { 0 }
  public var endIndex: Index { 0 }
  public var indices: Range<Int> { 0..<0 }
  public subscript(_ index: Index) -> UInt8 {
    get { 0 }
    set {}
  }
  public subscript(bounds: Range<Index>) -> Data {
    get { self }
    set {}
  }
  public func index(before index: Index) -> Index { index - 1 }
  public func index(after index: Index) -> Index { index + 1 }
  public mutating func replaceSubrange<C: Collection>(
    _ subrange: Range<Index>, with elements: C
  ) where C.Element == UInt8 {}
  public mutating func append(_ other: Data) {}
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    fatalError()
  }
  public struct SearchOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public func range(
    of dataToFind: Data, options: SearchOptions = [], in range: Range<Index>? = nil
  ) -> Range<Index>? { nil }
  public struct Base64EncodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public func base64EncodedString(options: Base64EncodingOptions = []) -> String { "" }
  public struct Base64DecodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let ignoreUnknownCharacters = Self(rawValue: 1)
  }
  public init?(base64Encoded base64Data: Data, options: Base64DecodingOptions = []) {}
  public init?(base64Encoded base64String: String, options: Base64DecodingOptions = []) {}
}

public struct Date: Sendable, Comparable, Hashable, Codable {
  public init(timeIntervalSinceReferenceDate seconds: Double) {}
  public var timeIntervalSinceReferenceDate: Double { 0 }
  public static func < (left: Date, right: Date) -> Bool { false }
  public static func + (lhs: Date, rhs: Double) -> Date { lhs }
  public func timeIntervalSince(_ date: Date) -> Double { 0 }
  @available(macOS 12.0, iOS 15.0, *)
  public struct ISO8601FormatStyle: Sendable, ParseStrategy {
    public enum TimeZoneSeparator: Sendable { case colon, omitted }
    public enum DateSeparator: Sendable { case dash, omitted }
    public enum TimeSeparator: Sendable { case colon, omitted }
    public enum DateTimeSeparator: Sendable { case space, standard }
    public init(
      dateSeparator: DateSeparator = .dash, dateTimeSeparator: DateTimeSeparator = .standard,
      timeSeparator: TimeSeparator = .colon, timeZoneSeparator: TimeZoneSeparator = .omitted,
      includingFractionalSeconds: Bool = false, timeZone: TimeZone = .gmt
    ) {}
    public func parse(_ value: String) throws -> Date { fatalError() }
  }
  // swift-format-ignore: AlwaysUseLowerCamelCase
  @available(macOS 12.0, iOS 15.0, *)
  public func ISO8601Format(_ style: ISO8601FormatStyle = .init()) -> String { "" }
  @available(macOS 12.0, iOS 15.0, *)
  public init<T: ParseStrategy>(_ value: T.ParseInput, strategy: T) throws
  where T.ParseOutput == Date {}
}
@available(macOS 12.0, iOS 15.0, *)
public protocol ParseStrategy {
  associatedtype ParseInput
  associatedtype ParseOutput
  func parse(_ value: ParseInput) throws -> ParseOutput
}

public struct URL: Sendable, Hashable, Codable {
  public init?(string: String) {}
  public init?(string: String, relativeTo url: URL?) {}
  public init(fileURLWithPath path: String) {}
  public var absoluteString: String { "" }
  public var relativeString: String { "" }
  public var baseURL: URL? { nil }
  public var isFileURL: Bool { true }
  @available(macOS 13.0, iOS 16.0, *)
  public func path(percentEncoded: Bool = true) -> String { "" }
}
public struct URLComponents: Sendable, Hashable {
  public init() {}
  public func url(relativeTo base: URL?) -> URL? { nil }
  public var url: URL? { nil }
  public var scheme: String?
  public var host: String?
  public var path = ""
  public var query: String?
  public var fragment: String?
}
public struct UUID: Sendable, Hashable, Codable, CustomStringConvertible {
  public init() {}
  public init?(uuidString: String) {}
  public var uuidString: String { "" }
  public var description: String { "" }
}
public struct Locale: Sendable, Hashable, Codable {
  public init(identifier: String) {}
  public var identifier: String { "" }
}
public struct TimeZone: Sendable, Hashable, Codable {
  public init?(identifier: String) {}
  public var identifier: String { "" }
  @available(macOS 13.0, iOS 16.0, *)
  public static var gmt: TimeZone { fatalError() }
}
public struct Decimal: Sendable, Hashable, Codable, CustomStringConvertible,
  ExpressibleByIntegerLiteral
{
  public init(integerLiteral value: Int) {}
  public init?(string: String, locale: Locale? = nil) {}
  public static var nan: Decimal { fatalError() }
  public var description: String { "" }
}
public struct Calendar: Sendable, Hashable, Codable {
  public enum Identifier: Sendable { case gregorian, hebrew }
  public init(identifier: Identifier) {}
}
public struct DateComponents: Sendable, Hashable, Codable {
  public init(
    calendar: Calendar? = nil, timeZone: TimeZone? = nil, era: Int? = nil, year: Int? = nil,
    month: Int? = nil, day: Int? = nil, hour: Int? = nil, minute: Int? = nil, second: Int? = nil,
    nanosecond: Int? = nil, weekday: Int? = nil, weekdayOrdinal: Int? = nil, quarter: Int? = nil,
    weekOfMonth: Int? = nil, weekOfYear: Int? = nil, yearForWeekOfYear: Int? = nil
  ) {}
  public var isValidDate: Bool { true }
}

public protocol LocalizedError: Error {
  var errorDescription: String? { get }
  var failureReason: String? { get }
  var recoverySuggestion: String? { get }
  var helpAnchor: String? { get }
}
extension LocalizedError {
  public var errorDescription: String? { nil }
  public var failureReason: String? { nil }
  public var recoverySuggestion: String? { nil }
  public var helpAnchor: String? { nil }
}

// MARK: JSON

open class JSONEncoder: @unchecked Sendable {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let prettyPrinted = OutputFormatting(rawValue: 1)
    @available(macOS 10.13, iOS 11.0, *)
    public static let sortedKeys = OutputFormatting(rawValue: 2)
    @available(macOS 10.15, iOS 13.0, *)
    public static let withoutEscapingSlashes = OutputFormatting(rawValue: 8)
  }
  open var outputFormatting: OutputFormatting = []
  public init() {}
  open func encode<T: Encodable>(_ value: T) throws -> Data { fatalError() }
}
open class JSONDecoder: @unchecked Sendable {
  public init() {}
  open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { fatalError() }
}

open class PropertyListDecoder: @unchecked Sendable {
  public init() {}
  open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { fatalError() }
}

// MARK: Darwin's own, which Foundation passes on

public var errno: Int32 { 0 }
public typealias SignalHandler = @convention(c) (Int32) -> Void
public var SIG_DFL: SignalHandler? { nil }
public var SIG_IGN: SignalHandler? { nil }
public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 { 0 }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32 { 0 }

// MARK: What the compiler calls

public func _convertNSErrorToError(_ error: NSError?) -> any Error { fatalError() }
public func _convertErrorToNSError(_ error: any Error) -> NSError { fatalError() }
