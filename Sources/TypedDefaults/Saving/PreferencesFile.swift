#if os(Linux) || os(Android)
  internal import Foundation

  /// A preferences file: where it is, and how it is read and replaced. Several processes may do so at
  /// the same time.
  struct PreferencesFile: Sendable {
    let path: String

    /// The file in which Foundation keeps a suite; nil is the standard one.
    init(suite name: String?) {
      let name =
        name ?? Bundle.main.bundleIdentifier.flatMap { $0.isEmpty ? nil : $0 }
        ?? ProcessInfo.processInfo.processName
      let url = URL(
        filePath: name + ".plist", directoryHint: .notDirectory, relativeTo: Self.directory)
      path = url.absoluteURL.path(percentEncoded: false)
    }

    /// The name of the suite that Foundation keeps in the file.
    var name: String { String(path.lastPathComponent.dropLast(".plist".count)) }

    init(path: String) {
      self.path = path
    }

    private static let directory: URL = {
      let environment = launchEnvironment ?? ProcessInfo.processInfo.environment
      if let path = environment["XDG_CONFIG_HOME"], path.hasPrefix("/"), path != "/" {
        return URL(filePath: path, directoryHint: .isDirectory)
      }
      return URL(filePath: (environment["HOME"] ?? "") + "/.config", directoryHint: .isDirectory)
    }()

    /// The environment that the process was started with, where Foundation looks: a later `setenv`
    /// changes nothing. The system does not show it to a process that has dropped its privileges.
    private static var launchEnvironment: [String: String]? {
      guard let data = try? FileDescriptor("/proc/self/environ", O_RDONLY).readToEnd() else {
        return nil
      }
      let variables = data.split(separator: 0).map {
        String(decoding: $0, as: UTF8.self)
          .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      }
      return Dictionary(
        variables.filter { $0.count == 2 }.map { ($0[0], $0[1]) },
        uniquingKeysWith: { first, _ in first })
    }
  }

  // MARK: - Reading

  extension PreferencesFile {
    /// Tells one state of the file from another.
    struct Identity: Equatable {
      private let device: dev_t
      private let node: ino_t
      private let size: off_t
      private let seconds: time_t
      private let nanoseconds: Int

      init(_ status: stat) {
        device = status.st_dev
        node = status.st_ino
        size = status.st_size
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
      }

      /// The file system's clock ticks in milliseconds, so that a file which has just been written
      /// may be written again with the same time.
      var isSettled: Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return now.tv_sec - seconds > 1
      }
    }

    enum Reading {
      case unchanged
      case missing
      /// The contents of the file, and the identity by which a later reading may find it unchanged.
      case contents(PreferencesContents, Identity?)
      /// The file is not one that `UserDefaults` can read. These are its bytes.
      case damaged(Data)

      /// What there is of a file that may be in the middle of a write, if anything; nil if it is whole.
      func unsettled(_ isExpected: Bool) -> Data?? {
        switch self {
        case .damaged(let data): data
        case .missing where isExpected: .some(nil)
        default: nil
        }
      }
    }

    /// Reads the file, unless it is the one that is known.
    func read(unless known: Identity?) throws -> Reading {
      do {
        // Opening must not wait for the writer of a pipe.
        let descriptor = try FileDescriptor(path, O_RDONLY | O_NONBLOCK)
        let status = try descriptor.status()
        guard status.st_mode & S_IFMT == S_IFREG else { throw NotAFile() }
        let identity = Identity(status)
        if identity == known { return .unchanged }
        let data = try descriptor.readToEnd()
        guard let contents = try? PreferencesContents(parsing: data) else { return .damaged(data) }
        return .contents(contents, identity.isSettled ? identity : nil)
      } catch let error as SystemError where error.code == ENOENT || error.code == ENOTDIR {
        return .missing
      }
    }

    /// Reads the file, unless it is the one that is known. What seems to be damaged, or is missing
    /// though it is expected, may be in the middle of another program's write, so it is read until it
    /// stands still.
    ///
    /// - Parameter patience: How long what seems to be damaged must stand still. A busy disk holds up
    ///   a write for longer than a first reader can be.
    func readSettled(
      unless known: Identity?, isExpected: Bool, patience: Duration = shortPatience
    ) throws -> Reading {
      var reading = try read(unless: known)
      let start = ContinuousClock.now
      var lastChange = start
      while let bytes = reading.unsettled(isExpected) {
        let patience = bytes == nil ? Self.shortPatience : patience
        let now = ContinuousClock.now
        if now - lastChange > patience || now - start > patience * 2 { break }
        usleep(10_000)
        reading = try read(unless: nil)
        if reading.unsettled(isExpected) != bytes { lastChange = .now }
      }
      return reading
    }

    private static let shortPatience = Duration.milliseconds(100)

    struct NotAFile: Error, CustomStringConvertible {
      let description = "It is not a regular file"
    }
  }

  // MARK: - Writing

  extension PreferencesFile {
    /// The file, while no other process that uses this library reads it in order to write it.
    struct Locked: ~Copyable {
      private let lock: DirectoryLock
      /// Where a symbolic link leads.
      private let file: PreferencesFile
      private let directory: String

      fileprivate init(_ file: PreferencesFile) throws {
        let target = try file.followingLinks()
        lock = try Self.locking(target.path.directory)
        self.file = target
        directory = target.path.directory
      }

      private static func locking(_ directory: String) throws -> DirectoryLock {
        do {
          return try DirectoryLock(directory)
        } catch let error as SystemError where error.code == ENOENT {
          try makeDirectory(directory)
          return try DirectoryLock(directory)
        }
      }

      private static func makeDirectory(_ path: String) throws {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, path != "/" else { throw SystemError() }
        try makeDirectory(String(path.dropLast()).directory)
        // Another process may have been faster.
        if mkdir(path, 0o700) == -1, errno != EEXIST { throw SystemError() }
      }

      /// Reads the file as it is when it stands still.
      func read(
        unless known: Identity?, isExpected: Bool = false, patience: Duration = shortPatience
      ) throws -> Reading {
        try file.readSettled(unless: known, isExpected: isExpected, patience: patience)
      }

      /// Gives the file a second name beside its own, which stays when the file is replaced, and
      /// returns it; nil if the file has one already.
      func keepAside() throws -> String? {
        var status = stat()
        try SystemError.check { stat(file.path, &status) }
        var number = 1
        while true {
          let suffix = ".damaged-\(number)"
          var name = file.path.lastPathComponent
          while name.utf8.count + suffix.utf8.count > NAME_MAX { name.removeLast() }
          let aside = directory + name + suffix
          var other = stat()
          if lstat(aside, &other) == -1 {
            try SystemError.check { link(file.path, aside) }
            return aside
          }
          if other.st_ino == status.st_ino && other.st_dev == status.st_dev { return nil }
          number += 1
        }
      }

      func remove() throws {
        try SystemError.check { unlink(file.path) }
      }

      /// Replaces the file, as one step: whatever happens, it holds the old data or the new.
      func replace(with data: Data) throws -> Identity {
        // One name for all, because the lock is one for all: what a killed process leaves behind is
        // cleared away by the next. It leaves room for any name of the file, too.
        let temporary = directory + ".TypedDefaults.saving"
        unlink(temporary)
        do {
          let descriptor = try FileDescriptor(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
          try keepPermissions(descriptor)
          try descriptor.writeAll(data)
          // A time of its own, more precise than the file system's clock: see `isSettled`.
          var times = [timespec(), timespec()]
          clock_gettime(CLOCK_REALTIME, &times[0])
          times[1] = times[0]
          try SystemError.check { futimens(descriptor.number, times) }
          try descriptor.synchronize()
          let identity = Identity(try descriptor.status())
          try SystemError.check { rename(temporary, file.path) }
          try lock.synchronizeDirectory()
          return identity
        } catch {
          unlink(temporary)
          throw error
        }
      }

      private func keepPermissions(_ descriptor: borrowing FileDescriptor) throws {
        var old = stat()
        guard stat(file.path, &old) == 0 else { return }
        let new = try descriptor.status()
        // A program run as root must not take a user's settings from him.
        if old.st_uid != new.st_uid || old.st_gid != new.st_gid {
          _ = fchown(descriptor.number, old.st_uid, old.st_gid)
        }
        try SystemError.check { fchmod(descriptor.number, old.st_mode & 0o777) }
      }
    }

    /// Runs the body while no other process that uses this library does the same to a file of the
    /// directory.
    func withLock<R>(_ body: (borrowing Locked) throws -> R) throws -> R {
      try body(Locked(self))
    }

    /// The file to which a symbolic link leads, which need not be there.
    private func followingLinks() throws -> PreferencesFile {
      var path = path
      for _ in 0..<40 {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { bytes in
          bytes.withMemoryRebound(to: CChar.self) { readlink(path, $0.baseAddress!, $0.count) }
        }
        guard count >= 0 else { return PreferencesFile(path: path) }
        let target = String(decoding: buffer[..<count], as: UTF8.self)
        path = target.hasPrefix("/") ? target : path.directory + target
      }
      throw SystemError(ELOOP)
    }
  }

  extension String {
    fileprivate var lastPathComponent: String { String(self[nameStart...]) }

    /// With the slash.
    fileprivate var directory: String { String(self[..<nameStart]) }

    private var nameStart: Index { lastIndex(of: "/").map(index(after:)) ?? startIndex }
  }
#endif
