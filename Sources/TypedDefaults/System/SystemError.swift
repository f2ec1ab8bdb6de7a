#if os(Linux) || os(Android)
  internal import Foundation

  /// A system call that failed.
  struct SystemError: Error, CustomStringConvertible {
    let code: CInt

    init(_ code: CInt = errno) { self.code = code }

    /// Whether a file system does not know the call.
    var isUnsupported: Bool { [EINVAL, ENOSYS, EOPNOTSUPP].contains(code) }

    var description: String { String(cString: strerror(code)) }

    /// Whether Foundation could open a file while a body called it. Foundation itself does not tell: what
    /// could not be opened counts as empty there. A missing file can be opened.
    static func opens(_ path: String, during body: () -> Void) -> Bool {
      errno = 0
      body()
      // Of permissions, only the first call that fails tells; of descriptors, a later one may hide it.
      return (errno == 0 || errno == ENOENT && !path.exists) && path.isReadableAndWritable
    }

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

  /// Lets `catch` name a `SystemError` by its number.
  func ~= (code: CInt, error: any Error) -> Bool { (error as? SystemError)?.code == code }
#endif
