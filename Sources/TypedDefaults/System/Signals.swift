#if os(Linux) || os(Android)
  internal import Foundation

  enum Signals {
    /// Runs a body in which a system call fails where it would end the process by a signal.
    static func withoutRaising<R>(_ signal: CInt, _ body: () throws -> R) rethrows -> R {
      var (one, pending) = (sigset_t(), sigset_t())
      sigemptyset(&one)
      sigaddset(&one, signal)
      sigpending(&pending)
      return try blocking(one) {
        defer {
          if sigismember(&pending, signal) == 0 {
            var immediately = timespec()
            while sigtimedwait(&one, nil, &immediately) == -1, errno == EINTR {}
          }
        }
        return try body()
      }
    }

    /// Runs a body that starts a thread which takes no signals: they are for the program's own.
    static func blocked<R>(_ body: () throws -> R) rethrows -> R {
      var signals = sigset_t()
      sigfillset(&signals)
      for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] {
        sigdelset(&signals, signal)
      }
      return try blocking(signals, body)
    }

    private static func blocking<R>(_ signals: sigset_t, _ body: () throws -> R) rethrows -> R {
      var (signals, old) = (signals, sigset_t())
      pthread_sigmask(SIG_BLOCK, &signals, &old)
      defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
      return try body()
    }
  }
#endif
