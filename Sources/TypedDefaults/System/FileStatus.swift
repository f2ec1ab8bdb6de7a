#if os(Linux) || os(Android)
  internal import Foundation

  /// What the system knows of a file.
  struct FileStatus {
    private var status = stat()

    /// - Parameter path: The path of the file, which may lead through symbolic links.
    init(of path: String) throws {
      try SystemError.check { stat(path, &status) }
    }

    init(of descriptor: FileDescriptor) throws {
      try SystemError.check { fstat(descriptor.number, &status) }
    }

    var identity: FileIdentity { FileIdentity(device: status.st_dev, node: status.st_ino) }

    var owner: FileOwner { FileOwner(user: status.st_uid, group: status.st_gid) }

    /// What the owner, the group and others may do, by three bits each.
    var permissions: mode_t { status.st_mode & 0o777 }

    /// - Throws: `FileRefusal` if this is a directory, a pipe and the like, or too large.
    func checkMayBeRead() throws {
      let kind = status.st_mode & S_IFMT
      if kind == S_IFDIR { throw FileRefusal(description: "it is a directory") }
      if kind != S_IFREG { throw FileRefusal(description: "it is a pipe, a socket or a device") }
      try FileRefusal.check(size: Int(status.st_size))
    }

    /// - Parameter isExact: Whether the file has the time of its last write.
    func version(isExact: Bool = true) -> FileVersion {
      FileVersion(
        file: identity, size: status.st_size, seconds: status.st_mtim.tv_sec,
        nanoseconds: isExact ? status.st_mtim.tv_nsec : -1)
    }
  }

  /// Why the library does not read a file: what is none, or would take too much memory and time.
  struct FileRefusal: Error, CustomStringConvertible {
    let description: String

    /// - Parameter size: The number of bytes that the file has, or would have.
    static func check(size: Int) throws {
      if size > 100_000_000 { throw Self(description: "it may have 100 MB at most") }
    }
  }

  /// What tells two files apart, whatever their names are.
  struct FileIdentity: Equatable {
    fileprivate let device: dev_t
    fileprivate let node: ino_t
  }

  /// The identity of one state of a file.
  struct FileVersion: Equatable {
    let file: FileIdentity
    fileprivate let size: off_t
    fileprivate let seconds: time_t
    fileprivate var nanoseconds: Int

    /// Whether another write would change the identity. The file system's clock ticks in
    /// milliseconds, so two quick writes may have one time.
    var isSettled: Bool { time(nil) - seconds > 1 }

    /// An identity of the same file that differs from each of its states.
    var unsettled: Self {
      var version = self
      version.nanoseconds = -1
      return version
    }
  }

  struct FileOwner {
    let user: uid_t
    let group: gid_t

    /// The owner to whom root gives a file that it makes in that owner's directory; nil for others than
    /// root.
    static func toBe(in directory: String) -> Self? {
      geteuid() == 0 ? (try? FileStatus(of: directory))?.owner : nil
    }
  }
#endif
