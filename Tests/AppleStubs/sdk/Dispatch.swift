// Written from Apple's documentation alone: only what the tests use.
@_exported import ObjectiveC

public struct DispatchTime: Sendable, Comparable {
  public static func now() -> DispatchTime { DispatchTime() }
  public var uptimeNanoseconds: UInt64 { 0 }
  public static func < (left: Self, right: Self) -> Bool { false }
  public static func + (time: DispatchTime, seconds: Double) -> DispatchTime { time }
}
public enum DispatchTimeoutResult: Sendable { case success, timedOut }
public class DispatchSemaphore: @unchecked Sendable {
  public init(value: Int) {}
  public func wait() {}
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
  @discardableResult public func signal() -> Int { 0 }
}
public class DispatchWorkItem: @unchecked Sendable {
  @preconcurrency public init(block: @escaping @Sendable @convention(block) () -> Void) {}
  public func cancel() {}
}
public class DispatchQueue: @unchecked Sendable {
  public init(label: String) {}
  public class var main: DispatchQueue { fatalError() }
  public class func global() -> DispatchQueue { fatalError() }
  @preconcurrency public func async(
    execute work: @escaping @Sendable @convention(block) () -> Void
  ) {}
  public func asyncAfter(deadline: DispatchTime, execute: DispatchWorkItem) {}
  @preconcurrency public func asyncAfter(
    deadline: DispatchTime, execute work: @escaping @Sendable @convention(block) () -> Void
  ) {}
  public func sync<T>(execute work: () throws -> T) rethrows -> T { try work() }
  public func suspend() {}
  public func resume() {}
  public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {}
}
public func dispatchMain() -> Never { fatalError() }
