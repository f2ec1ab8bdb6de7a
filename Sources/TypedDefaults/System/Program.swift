#if os(Linux) || os(Android)
  internal import Foundation

  /// The program of this process, as it was started.
  enum Program {
    /// Whether the process may read the program's directory: a service that has dropped its privileges
    /// may not.
    static var isReadable: Bool {
      (try? "/proc/self/exe".linkTarget)?.parentDirectory.permits(R_OK | X_OK) ?? false
    }

    /// The variables at the start of the process. A process that has dropped its privileges cannot read
    /// them.
    private static let variables =
      (try? FileDescriptor(reading: "/proc/self/environ").readToEnd())
      .map { [UInt8]($0).split(separator: 0) }

    /// Returns a variable of the environment at the start, which Foundation uses: a later `setenv`
    /// changes nothing.
    static func variable(_ name: String) -> String? {
      guard let variables else { return ProcessInfo.processInfo.environment[name] }
      let start = Array("\(name)=".utf8)
      return variables.first { $0.starts(with: start) }
        .map { String(decoding: $0.dropFirst(start.count), as: UTF8.self) }
    }
  }
#endif
