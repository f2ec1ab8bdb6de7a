import Foundation

/// `shorten KIND SEED COUNT`: leaves out operations of a sequence that fails, as long as it fails, and prints
/// those that are left, and how it fails with them.
func shortenCommand(_ arguments: [String]) -> Never {
  unblockSignals()
  alarm(0)  // That of the sequence that fails.
  Shortage.end(in: nil)
  let environment = ProcessInfo.processInfo.environment
  let (kind, seed, count) = (StoreKind(rawValue: arguments[0])!, arguments[1], Int(arguments[2])!)

  /// Returns how the sequence fails; nil if it does not.
  func failure(of indices: [Int]) -> String? {
    // Where this user may write.
    let folder =
      (environment["XDG_CONFIG_HOME"] ?? NSTemporaryDirectory()) + "/TypedDefaultsTests-\(UUID())"
    try! FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [
      "model", kind.rawValue, seed, seed, "\(count)", "0",
      indices.map(String.init).joined(separator: ","),
    ]
    process.environment = environment.merging([
      "XDG_CONFIG_HOME": folder, "SWIFT_BACKTRACE": "enable=no",
    ]) { $1 }
    process.standardOutput = output
    process.standardError = output
    try! process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    if process.terminationReason == .exit, process.terminationStatus == 0 { return nil }
    return text.isEmpty ? "signal \(process.terminationStatus)" : text
  }

  /// What differs, without how.
  func subject(_ failure: String) -> Substring? {
    failure.split(separator: "\n").dropFirst().first?.split(separator: " is ").first
  }

  var indices = Array(0..<count)
  guard var found = failure(of: indices) else {
    print("\(kind.rawValue), seed \(seed): not again in a process of its own")
    exit(1)
  }
  var size = count / 2
  while size > 0 {
    let before = indices.count
    var start = 0
    while start < indices.count {
      let fewer = Array(indices[..<start] + indices.dropFirst(start + size))
      if let failure = failure(of: fewer), subject(failure) == subject(found) {
        (indices, found) = (fewer, failure)
      } else {
        start += size
      }
    }
    if size > 1 || indices.count == before { size /= 2 }
  }
  let sequence = RandomSequence(seed: Int(seed)!, count: count, on: kind)
  print("\(kind.rawValue), seed \(seed), environment \(sequence.environment), shortened to:")
  for index in indices { print("  \(index): \(sequence.operations[index])") }
  print(found)
  exit(1)
}

/// Executes the program anew, with other arguments.
func execute(_ arguments: [String]) -> Never {
  fflush(nil)
  Shortage.end(in: nil)
  var pointers = (["Probe"] + arguments).map { strdup($0) } + [nil]
  execv("/proc/self/exe", &pointers)
  fatalError("execv: \(errno)")
}

/// Ends a sequence that crashes or does not end.
enum Deadline {
  // Written before the handler is set.
  private nonisolated(unsafe) static var message = strdup("")
  private nonisolated(unsafe) static var command:
    UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

  /// - Parameter arguments: With which the program is executed then; nil to end it.
  static func set(_ text: String, shortening arguments: [String]?) {
    free(message)
    message = strdup(text + "\n")
    unblockSignals()
    if let arguments {
      let pointers = (["Probe"] + arguments).map { strdup($0) } + [nil]
      command = .allocate(capacity: pointers.count)
      command!.initialize(from: pointers, count: pointers.count)
    }
    for number in [SIGALRM, SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGBUS] {
      // Only calls that a handler of signals may make.
      signal(number) { number in
        if number == SIGALRM { write(1, Deadline.message, strlen(Deadline.message!)) }
        Shortage.end(in: nil)
        if let command = Deadline.command { execv("/proc/self/exe", command) }
        signal(number, SIG_DFL)
        raise(number)
        _exit(3)
      }
    }
    alarm(arguments == nil ? 10 : 60)
  }
}

/// A program that a handler of signals has executed inherits that the signal is blocked.
private func unblockSignals() {
  var none = sigset_t()
  sigemptyset(&none)
  sigprocmask(SIG_SETMASK, &none, nil)
}
