#if os(Linux) && !compiler(>=6.2.3)
  /// The function that Observation calls where a lock of its own fails. Older runtimes for Linux do
  /// not have it (swiftlang/swift#75670), so a program that uses Observation would not link.
  @_cdecl("_ZN5swift9threading5fatalEPKcz")
  func threadingFatal(_ message: UnsafePointer<CChar>) { fatalError(String(cString: message)) }
#endif
