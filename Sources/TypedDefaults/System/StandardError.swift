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
    /// Blocks the signal for this thread, and removes it if the body has raised it.
    private static func withoutBrokenPipeSignal(_ body: () -> Void) {
      var (brokenPipe, pending, blocked) = (sigset_t(), sigset_t(), sigset_t())
      sigemptyset(&brokenPipe)
      sigaddset(&brokenPipe, SIGPIPE)
      sigpending(&pending)
      pthread_sigmask(SIG_BLOCK, &brokenPipe, &blocked)
      body()
      if sigismember(&pending, SIGPIPE) == 0 {
        var immediately = timespec()
        while sigtimedwait(&brokenPipe, nil, &immediately) == -1, errno == EINTR {}
      }
      pthread_sigmask(SIG_SETMASK, &blocked, nil)
    }
  #else
    private static func withoutBrokenPipeSignal(_ body: () -> Void) { body() }
  #endif
}
