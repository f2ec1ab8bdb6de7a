internal import Foundation

/// Standard error. If it is a pipe without a reader, writing to it does not end the program.
enum StandardError {
  static func write(_ text: String) {
    // It may be closed.
    withoutBrokenPipeSignal {
      try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
  }

  #if canImport(Darwin)
    private static func withoutBrokenPipeSignal(_ body: () -> Void) {
      let setting = fcntl(STDERR_FILENO, F_GETNOSIGPIPE)
      _ = fcntl(STDERR_FILENO, F_SETNOSIGPIPE, 1)
      body()
      _ = fcntl(STDERR_FILENO, F_SETNOSIGPIPE, setting)
    }
  #elseif os(Linux) || os(Android)
    private static func withoutBrokenPipeSignal(_ body: () -> Void) {
      Signals.withoutRaising(SIGPIPE, body)
    }
  #else
    private static func withoutBrokenPipeSignal(_ body: () -> Void) { body() }
  #endif
}
