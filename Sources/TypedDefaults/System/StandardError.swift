internal import Foundation

/// Standard error. If it is a pipe without a reader, writing to it does not end the program.
enum StandardError {
  static func write(_ text: String) {
    // It may be closed.
    func write() { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
    #if canImport(Darwin)
      let setting = fcntl(STDERR_FILENO, F_GETNOSIGPIPE)
      _ = fcntl(STDERR_FILENO, F_SETNOSIGPIPE, 1)
      write()
      _ = fcntl(STDERR_FILENO, F_SETNOSIGPIPE, setting)
    #elseif os(Linux) || os(Android)
      Signals.withoutRaising(SIGPIPE, write)
    #else
      write()
    #endif
  }
}
