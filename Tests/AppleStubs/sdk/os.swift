// Written from Apple's documentation alone: only what the library uses.
public struct OSLogPrivacy: Sendable { public static var `public`: OSLogPrivacy { OSLogPrivacy() } }
public struct OSLogInterpolation: StringInterpolationProtocol {
  public init(literalCapacity: Int, interpolationCount: Int) {}
  public mutating func appendLiteral(_ literal: String) {}
  public mutating func appendInterpolation(
    _ argument: @autoclosure @escaping () -> String, privacy: OSLogPrivacy
  ) {}
}
public struct OSLogMessage: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) {}
  public init(stringInterpolation: OSLogInterpolation) {}
}
@available(macOS 11.0, iOS 14.0, *)
public struct Logger: @unchecked Sendable {
  public init(subsystem: String, category: String) {}
  public func error(_ message: OSLogMessage) {}
}
