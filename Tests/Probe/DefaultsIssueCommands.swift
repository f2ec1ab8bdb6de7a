import Dispatch
import Foundation
import TypedDefaults

/// `Probe handler NAME`: settings are used for the first time, and the handler of the issue that comes of it
/// uses the same ones.
enum DefaultsIssueCommands {
  private struct Settings: SettingsGroup {
    static let saved = Settings(in: .saved)
    static let suite = Settings(in: .saved(suiteName: "suite"))
    static let standard = Settings(in: .standard)
    static let foundations = Settings(in: UserDefaults(suiteName: "suite")!)

    @WrappedDefault("volume") var volume = 4
  }

  private struct Conflicting: SettingsGroup {
    static let shared = Conflicting(in: .inMemory())
    static let standard = Conflicting()

    @WrappedDefault("volume") var volume = 4
    @WrappedDefault("volume") var other = 5
    @WrappedDefault("name", formerly: "name") var name = "none"
  }

  private struct Plain: Sendable {
    static let shared = Plain()

    @WrappedDefault("volume", userDefaults: .saved) var volume = 4
    @WrappedDefault("volume", userDefaults: .saved) var other = 5
  }

  static func run(_ name: String) {
    let use: @Sendable () -> Int
    switch name {
    case "saved": use = { UserDefaults.saved.value(for: "volume") ?? 4 }
    case "saved suite": use = { UserDefaults.saved(suiteName: "suite").value(for: "volume") ?? 4 }
    case "standard": use = { UserDefaults.standard.value(for: "volume") ?? 4 }
    case "suite": use = { UserDefaults(suiteName: "suite")!.value(for: "volume") ?? 4 }
    case "shared in saved": use = { Settings.saved.volume }
    case "shared in saved suite": use = { Settings.suite.volume }
    case "shared in standard": use = { Settings.standard.volume }
    case "shared in suite": use = { Settings.foundations.volume }
    case "conflict": use = { Conflicting.shared.volume }
    case "conflict in standard": use = { Conflicting.standard.volume }
    case "conflict in saved": use = { Plain.shared.volume }
    default: fatalError("no such use: \(name)")
    }
    let isHandled = DispatchSemaphore(value: 0)
    DefaultsIssue.setHandler { issue in
      print("handled", issue.kind == .damagedFile ? "damage" : "conflict", use())
      isHandled.signal()
    }
    print("used", use())
    print(isHandled.wait(timeout: .now() + 10) == .success ? "reported" : "not reported")
  }
}

/// `broken-pipe`: two issues are reported to a standard error that nobody reads.
func brokenPipeCommand() {
  signal(SIGPIPE, SIG_DFL)  // The tests ignore it, and their children with them.
  var ends: [Int32] = [0, 0]
  pipe(&ends)
  dup2(ends[1], STDERR_FILENO)
  close(ends[0])
  let volume = WrappedDefault(wrappedValue: 4, "volume")
  UserDefaults.standard.set("loud", forKey: "volume")
  print(volume.wrappedValue)
  UserDefaults.standard.set("louder", forKey: "volume")
  print(volume.wrappedValue)
  var (blocked, pending) = (sigset_t(), sigset_t())
  pthread_sigmask(SIG_BLOCK, nil, &blocked)
  sigpending(&pending)
  if sigismember(&blocked, SIGPIPE) == 0, sigismember(&pending, SIGPIPE) == 0 {
    print("the signal is neither blocked nor pending")
  }
}
