import Foundation

/// Why a process cannot open its files.
enum Shortage: CustomStringConvertible {
  case descriptors, permission

  #if os(Linux) && !TYPED_DEFAULTS_PLATFORM_SAVES
    static let isPossible = true

    func begin(in path: String) {
      switch self {
      case .descriptors: Descriptors.leave(0)
      case .permission: Permission.take(from: path)
      }
    }

    /// Whoever began it, in an earlier life of the process, too.
    static func end(in path: String?) {
      Descriptors.leave(nil)
      Permission.give(to: path)
    }
  #else
    static let isPossible = false

    func begin(in _: String) {}
    static func end(in _: String?) {}
  #endif

  var description: String { self == .descriptors ? "no descriptors" : "no permission" }
}

#if os(Linux)
  /// The descriptors that a process may still open.
  enum Descriptors {
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    /// - Parameter count: How many: 0 or 1; nil for many.
    static func leave(_ count: Int?) {
      var limit = rlimit()
      getrlimit(resource, &limit)
      limit.rlim_cur = limit.rlim_max
      setrlimit(resource, &limit)
      guard let count else { return }
      // The lowest that is free. None above the limit is given, whoever closes one.
      let free = dup(STDERR_FILENO)
      close(free)
      limit.rlim_cur = rlim_t(Int(free) + count)
      setrlimit(resource, &limit)
    }
  }

  /// The permission to read a file. Root has it in any case, and so becomes another user, for whom
  /// Foundation begins a memory of its own.
  enum Permission {
    static func take(from path: String) {
      chmod(path, 0)
      if getuid() == 0 { seteuid(65534) }
    }

    static func give(to path: String?) {
      if getuid() == 0 { seteuid(0) }
      if let path { chmod(path, 0o600) }
    }
  }
#endif
