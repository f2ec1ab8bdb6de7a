#if os(Linux)
  import Dispatch
  import Foundation
  import TypedDefaults

  /// Steps of `Probe saving` by names that only the C libraries of Linux have.
  enum SystemCommands {
    /// - Parameter userDefaults: The store, which reads its file when it is first used: not before a
    ///   step that gives up privileges.
    static func take(
      _ step: String, _ argument: String, _ userDefaults: @autoclosure () -> UserDefaults
    ) -> Bool {
      switch step {
      case "limit-file-size": limitFileSize(Int(argument)!)
      case "without-privileges": withoutPrivileges()
      case "daemon":
        daemon(1, 1)
        alarm(60)  // No signal of the test reaches it.
      case "fork": if !fork() { wait(nil) }
      case "fork-exclusively": forkExclusively(userDefaults())
      case "limit-threads": limitThreads()
      case "await-flush": awaitFlush(userDefaults())
      case "without-descriptors": withoutDescriptors(take: argument, userDefaults())
      case "without-any-descriptor":
        limitDescriptors(STDERR_FILENO + 1)
        userDefaults().set(argument, for: "a")
        SavingCommands.say(userDefaults().value(for: "a" as UserDefaults.Key<String>) ?? "nil")
        SavingCommands.say(userDefaults().string(forKey: "a") ?? "nil")
        limitDescriptors(1024)
        SavingCommands.say(userDefaults().value(for: "a" as UserDefaults.Key<String>) ?? "nil")
        // A read sets it there again, at most once a second.
        let end = ContinuousClock.now + .seconds(10)
        while userDefaults().string(forKey: "a") != argument, .now < end {
          _ = userDefaults().value(for: "a" as UserDefaults.Key<String>)
        }
        SavingCommands.say(userDefaults().string(forKey: "a") ?? "nil")
      case "try-lock":
        let isLocked = flock(open(argument, O_RDONLY), LOCK_EX | LOCK_NB) == -1
        SavingCommands.say(isLocked ? "locked" : "not locked")
      case "raise": kill(getpid(), CInt(argument)!)
      case "exit-at-signals": exitAtSignals()
      case "set-domain": userDefaults().setPersistentDomain(["x": 1], forName: argument)
      default: return false
      }
      return true
    }

    /// As in the article on saving.
    private static func exitAtSignals() {
      signals = [SIGTERM, SIGINT].map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number)
        source.setEventHandler { exit(0) }
        source.activate()
        return source
      }
      usleep(100_000)  // Until they are heard of.
    }

    nonisolated(unsafe) private static var signals: [any DispatchSourceSignal] = []

    static func limitFileSize(_ size: Int) {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      limit.rlim_cur = size < 0 ? limit.rlim_max : rlim_t(size)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }

    /// Sets a value while the process may open no further file.
    private static func withoutDescriptors(take value: String, _ userDefaults: UserDefaults) {
      var limit = rlimit(rlim_cur: 64, rlim_max: 64)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      var all: [CInt] = []
      while case let descriptor = dup(STDERR_FILENO), descriptor != -1 { all.append(descriptor) }
      userDefaults.set(value, for: "a")
      SavingCommands.say(userDefaults.value(for: "a" as UserDefaults.Key<String>) ?? "nil")
      for descriptor in all { close(descriptor) }
    }

    private static func limitDescriptors(_ count: CInt) {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = rlim_t(count)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// The permissions of a directory do not concern root.
    private static func withoutPrivileges() {
      guard geteuid() == 0 else { return }
      setgid(65534)
      setuid(65534)
    }

    /// Doubles the process as a C library may, and goes on in both.
    ///
    /// - Returns: Whether this is the child.
    private static func fork() -> Bool {
      typealias Fork = @convention(c) () -> pid_t
      let isChild = unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)() == 0
      // Another thread may have held a lock of Swift's own, for which the child waits for ever.
      if isChild { alarm(20) }
      return isChild
    }

    /// Forks where the parent has the lock of the directory, and the child wants to save in it.
    private static func forkExclusively(_ userDefaults: UserDefaults) {
      let other = ProbeStore.suite("other")
      _ = other.value(for: "a" as UserDefaults.Key<String>)
      try! userDefaults.exclusively {
        if fork() {
          SavingCommands.take("flush", "", { other })
          SavingCommands.take("exclusively-nothing", "", { other })
          exit(0)
        }
        wait(nil)
        let directory = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"]!
        SavingCommands.take("try-lock", directory, { userDefaults })
        userDefaults.set("1", for: "inside")
      }
    }

    private final class Flag: @unchecked Sendable {  // Of the main thread.
      var isSet = false
    }

    /// Awaits a flush on the main actor, whose tasks need no further thread.
    private static func awaitFlush(_ userDefaults: UserDefaults) {
      nonisolated(unsafe) let userDefaults = userDefaults
      let isOver = Flag()
      Task { @MainActor in
        do {
          try await userDefaults.flush()
          SavingCommands.say("flushed")
        } catch {
          SavingCommands.say(error)
        }
        isOver.isSet = true
      }
      while !isOver.isSet { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    }

    private static func limitThreads() {
      var limit = rlimit(rlim_cur: 1, rlim_max: 1)
      setrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &limit)
      withoutPrivileges()
    }
  }
#endif
