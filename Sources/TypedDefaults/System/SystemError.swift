#if os(Linux) || os(Android)
  internal import Foundation

  /// A system call that failed.
  struct SystemError: Error, CustomStringConvertible {
    let code: CInt

    init(_ code: CInt = errno) {
      self.code = code
    }

    var description: String { String(cString: strerror(code)) }

    /// Makes a system call, and repeats it if a signal interrupts it.
    @discardableResult
    static func check<R: SignedInteger>(_ call: () -> R) throws -> R {
      while true {
        let result = call()
        if result != -1 { return result }
        if errno != EINTR { throw SystemError() }
      }
    }
  }
#endif
