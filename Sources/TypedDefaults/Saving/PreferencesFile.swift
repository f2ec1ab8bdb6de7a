#if !TYPED_DEFAULTS_PLATFORM_SAVES
  internal import Foundation

  /// A preferences file, which several processes may read and replace at the same time.
  struct PreferencesFile: Sendable {
    let path: String

    /// Creates the file in which Foundation keeps a suite; nil is the standard suite.
    init(suite name: String?) {
      let name =
        name ?? Self.bundleIdentifier ?? ProcessInfo.processInfo.processName
      let url = URL(
        filePath: name + ".plist", directoryHint: .notDirectory, relativeTo: Self.directory)
      path = url.absoluteURL.path(percentEncoded: false)
    }

    /// The name of the suite that Foundation keeps in the file.
    var name: String { String(path.lastPathComponent.dropLast(".plist".count)) }

    init(path: String) {
      self.path = path
    }

    /// Nil if the process may not read the program's directory, such as a service that has dropped
    /// its privileges: there `Bundle.main` ends the process. Foundation's own class uses no bundle
    /// there, either.
    private static var bundleIdentifier: String? {
      guard let program = Path("/proc/self/exe").linkTarget,
        faccessat(AT_FDCWD, program.directory.bytes, R_OK | X_OK, AT_EACCESS) == 0
      else { return nil }
      return Bundle.main.bundleIdentifier.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The directory of all suites whose names are no absolute paths.
    static let directory: URL = {
      if let path = variable("XDG_CONFIG_HOME"), path.hasPrefix("/"), path != "/" {
        return URL(filePath: path, directoryHint: .isDirectory)
      }
      return URL(filePath: (variable("HOME") ?? "") + "/.config", directoryHint: .isDirectory)
    }()

    /// The variables at the start of the process, which Foundation uses: a later `setenv` changes
    /// nothing. A process that has dropped its privileges cannot read them.
    private static let variables =
      (try? FileDescriptor(Path("/proc/self/environ"), O_RDONLY).readToEnd())
      .map { [UInt8]($0).split(separator: 0) }

    static func variable(_ name: String) -> String? {
      guard let variables else { return ProcessInfo.processInfo.environment[name] }
      let start = Array("\(name)=".utf8)
      return variables.first { $0.starts(with: start) }
        .map { String(decoding: $0.dropFirst(start.count), as: UTF8.self) }
    }
  }

  // MARK: - Reading

  extension PreferencesFile {
    /// The identity of one state of the file.
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

      /// Whether another write would change the identity. The file system's clock ticks in
      /// milliseconds, so two quick writes may have one time.
      var isSettled: Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return now.tv_sec - seconds > 1
      }
    }

    enum Reading {
      case unchanged
      case missing
      /// The contents of the file, and the identity for a later reading, if it is settled.
      case contents(PreferencesContents, Identity?)
      /// The bytes of a file that `UserDefaults` cannot read.
      case damaged(Data)

      /// The bytes of a file that may be in the middle of a write, `.some(nil)` for a missing file;
      /// nil if the file is whole.
      func unsettled(_ isExpected: Bool) -> Data?? {
        switch self {
        case .damaged(let data): data
        case .missing where isExpected: .some(nil)
        default: nil
        }
      }
    }

    /// Reads the file, unless it has a known identity.
    func read(unless known: Identity?) throws -> Reading {
      var found = Seen()
      return try Self.read(Path(path), unless: known, &found)
    }

    /// The file that a reading has found.
    fileprivate struct Seen {
      /// Nil if the file is missing.
      var identity: Identity?
      /// The bytes, if the identity is not settled.
      var bytes: Data?
    }

    fileprivate static func read(
      _ path: Path, unless known: Identity?, _ found: inout Seen
    ) throws -> Reading {
      do {
        found = Seen()
        // Asked before opening: to open a pipe would wake its writer.
        var status = stat()
        try SystemError.check { stat(path.bytes, &status) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw NotAFile(status.st_mode) }
        let descriptor = try FileDescriptor(path, O_RDONLY | O_NONBLOCK)
        status = try descriptor.status()
        guard status.st_mode & S_IFMT == S_IFREG else { throw NotAFile(status.st_mode) }
        let identity = Identity(status)
        found.identity = identity
        if identity == known { return .unchanged }
        let data = try descriptor.readToEnd()
        found.bytes = identity.isSettled ? nil : data
        guard let contents = try? PreferencesContents(parsing: data) else { return .damaged(data) }
        return .contents(contents, identity.isSettled ? identity : nil)
      } catch let error as SystemError where error.code == ENOENT || error.code == ENOTDIR {
        return .missing
      }
    }

    /// Reads the file, unless it has a known identity, until it stands still. A file that seems
    /// damaged, or is missing though expected, may be in the middle of another program's write.
    ///
    /// - Parameter patience: The time for which a damaged file must stand still: long where a busy
    ///   disk may delay the write, short for a program's first read.
    func readSettled(
      unless known: Identity?, isExpected: Bool, patience: Duration = shortPatience
    ) throws -> Reading {
      var found = Seen()
      return try Self.readSettled(
        Path(path), unless: known, isExpected: isExpected, patience: patience, &found)
    }

    fileprivate static func readSettled(
      _ path: Path, unless known: Identity?, isExpected: Bool, patience: Duration,
      _ found: inout Seen
    ) throws -> Reading {
      var reading = try read(path, unless: known, &found)
      let start = ContinuousClock.now
      var lastChange = start
      while let bytes = reading.unsettled(isExpected) {
        let patience = bytes == nil ? shortPatience : patience
        let now = ContinuousClock.now
        if now - lastChange > patience || now - start > patience * 2 { break }
        usleep(10_000)
        reading = try read(path, unless: nil, &found)
        if reading.unsettled(isExpected) != bytes { lastChange = .now }
      }
      return reading
    }

    private static let shortPatience = Duration.milliseconds(100)

    struct NotAFile: Error, CustomStringConvertible {
      let description: String

      init(_ mode: mode_t) {
        description =
          switch mode & S_IFMT {
          case S_IFDIR: "it is a directory"
          case S_IFIFO: "it is a pipe"
          case S_IFSOCK: "it is a socket"
          default: "it is a device"
          }
      }
    }
  }

  // MARK: - Writing

  extension PreferencesFile {
    /// The file, locked against other processes that use this library.
    struct Locked: ~Copyable {
      private let lock: DirectoryLock
      /// The path of the file, with symbolic links followed.
      private let path: Path
      private var found: Seen?

      fileprivate init(_ file: PreferencesFile) throws {
        let path = try Self.followingLinks(Path(file.path))
        lock = try Self.locking(path.directory)
        self.path = path
      }

      /// Returns the target of a symbolic link, which may be missing.
      static func followingLinks(_ path: Path) throws -> Path {
        var path = path
        for _ in 0..<40 {
          guard let target = path.linkTarget else { return path }
          path = target
        }
        throw SystemError(ELOOP)
      }

      private static func locking(_ directory: Path) throws -> DirectoryLock {
        do {
          return try DirectoryLock(directory)
        } catch let error as SystemError where error.code == ENOENT {
          try makeDirectory(directory)
          return try DirectoryLock(directory)
        }
      }

      private static func makeDirectory(_ path: Path) throws {
        let parent = path.directory
        var result = mkdir(path.bytes, 0o700)
        if result == -1, errno == ENOENT, parent.count > 0 {
          try makeDirectory(parent)
          result = mkdir(path.bytes, 0o700)
        }
        guard result == 0 else {
          // Another process may have made it meanwhile.
          if errno == EEXIST { return }
          throw SystemError()
        }
        // Whatever the program's mask is.
        try SystemError.check { chmod(path.bytes, 0o700) }
        if let owner = ownerToBe(in: parent) { chown(path.bytes, owner.user, owner.group) }
      }

      /// The user to whom root gives a file that it makes in that user's directory.
      private static func ownerToBe(in directory: Path) -> (user: uid_t, group: gid_t)? {
        var status = stat()
        guard geteuid() == 0, stat(directory.bytes, &status) == 0 else { return nil }
        return (status.st_uid, status.st_gid)
      }

      /// Reads the file once it stands still.
      mutating func read(
        unless known: Identity?, isExpected: Bool = false, patience: Duration = shortPatience
      ) throws -> Reading {
        var found = Seen()
        defer { self.found = found }
        return try readSettled(
          path, unless: known, isExpected: isExpected, patience: patience, &found)
      }

      enum Aside: Equatable {
        case kept(as: String)
        case alreadyKept
        case notKept
      }

      /// The number of damaged files to keep. Later ones are not kept: one cause often damages
      /// many.
      static let mostAside = 10

      /// Gives the file a second name, which it keeps when it is replaced. Does nothing if it has
      /// one already, or if too many files are kept.
      func keepAside() throws -> Aside {
        var status = stat()
        try SystemError.check { stat(path.bytes, &status) }
        for number in 1...Self.mostAside {
          let suffix = Path(".damaged-\(number)")
          let name = path.lastComponent.cut(to: Int(NAME_MAX) - suffix.count)
          let aside = path.directory + name + suffix
          var other = stat()
          if lstat(aside.bytes, &other) == -1 {
            try SystemError.check { link(path.bytes, aside.bytes) }
            return .kept(as: aside.string)
          }
          if other.st_ino == status.st_ino && other.st_dev == status.st_dev { return .alreadyKept }
        }
        return .notKept
      }

      func remove() throws {
        try SystemError.check { unlink(path.bytes) }
      }

      /// Replaces the file in one step: at any moment it holds the old data or the new.
      ///
      /// - Returns: The identity of the new file. Nil, and nothing is replaced, if a program that
      ///   takes no lock, such as an editor, has changed the file since it was read.
      func replace(with data: Data) throws -> Identity? {
        // One name for all files of the directory, which share the lock: a save removes the file
        // that a killed process has left behind. The name of the preferences file may be as long as
        // a name can be.
        var temporary = path.directory + Path(".TypedDefaults.saving")
        let descriptor = try Self.create(&temporary)
        // Tried twice, because an error may pass.
        defer { if unlink(temporary.bytes) == -1 { unlink(temporary.bytes) } }
        try setPermissions(descriptor)
        try descriptor.writeAll(data)
        // More precise than the file system's clock: see `isSettled`.
        var times = [timespec(), timespec()]
        clock_gettime(CLOCK_REALTIME, &times[0])
        times[1] = times[0]
        try SystemError.check { futimens(descriptor.number, times) }
        try descriptor.synchronize()
        let identity = Identity(try descriptor.status())
        guard try put(temporary) else { return nil }
        do {
          try lock.synchronizeDirectory()
        } catch {
          throw NotSafe(cause: error)
        }
        return identity
      }

      /// Puts a new file in place of this one, if this one is as it was found.
      ///
      /// - Returns: Whether the new file is in place.
      private func put(_ new: Path) throws -> Bool {
        if let bytes = found?.bytes {
          guard bytes == (try? FileDescriptor(path, O_RDONLY).readToEnd()) else { return false }
        }
        guard isAsFound(path) else { return false }
        // A write between this check and the replacement would be lost. So the two files exchange
        // their names, where the file system can do that, and the old file is checked once more.
        var status = stat()
        let isMissing = stat(path.bytes, &status) == -1
        do {
          if isMissing {
            try Rename.withoutReplacing(new, path)
            return true
          }
          try Rename.exchanging(new, path)
        } catch let error as SystemError where error.code == (isMissing ? EEXIST : ENOENT) {
          return false
        } catch let error as SystemError where [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.code) {
          try SystemError.check { rename(new.bytes, path.bytes) }
          return true
        }
        let old = new
        if isAsFound(old) { return true }
        try SystemError.check { rename(old.bytes, path.bytes) }
        return false
      }

      private func isAsFound(_ path: Path) -> Bool {
        guard let found else { return true }
        var status = stat()
        guard stat(path.bytes, &status) == 0 else {
          return errno == ENOENT && found.identity == nil
        }
        return Identity(status) == found.identity
      }

      /// Creates a file.
      ///
      /// - Parameter path: The path, which becomes another one if the file there cannot be removed.
      private static func create(_ path: inout Path) throws -> FileDescriptor {
        unlink(path.bytes)
        do {
          return try FileDescriptor(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        } catch let error as SystemError where error.code == EEXIST {
          // There is a directory, or a file that only another user may remove.
          path = path + Path("-\(UInt64.random(in: 0 ... .max))")
          return try FileDescriptor(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        }
      }

      private func setPermissions(_ descriptor: borrowing FileDescriptor) throws {
        var old = stat()
        let isThere = stat(path.bytes, &old) == 0
        // A program run as root must not take the settings of another user.
        let owner = isThere ? (old.st_uid, old.st_gid) : Self.ownerToBe(in: path.directory)
        let new = try descriptor.status()
        if let owner, owner != (new.st_uid, new.st_gid) {
          _ = fchown(descriptor.number, owner.0, owner.1)
        }
        // Set for a new file, too: the mask may have left it without permissions.
        try SystemError.check { fchmod(descriptor.number, isThere ? old.st_mode & 0o777 : 0o600) }
      }
    }

    /// The file has been replaced, but a power failure could undo it.
    struct NotSafe: Error {
      let cause: any Error
    }

    /// The file has changed between each reading and replacement.
    struct KeptChanging: Error, CustomStringConvertible {
      let description = "other programs kept changing the file"
    }

    /// Runs a body while no other process that uses this library runs one for a file of the
    /// directory.
    func withLock<R>(_ body: (inout Locked) throws -> R) throws -> R {
      var locked = try Locked(self)
      return try body(&locked)
    }
  }
#endif
