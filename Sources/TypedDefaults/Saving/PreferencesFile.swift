#if os(Linux) || os(Android)
  internal import Foundation

  /// A preferences file: where it is, and how it is read and replaced. Several processes may do so at
  /// the same time.
  struct PreferencesFile: Sendable {
    let path: String

    /// The file in which Foundation keeps a suite; nil is the standard one.
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

    /// Foundation ends a process that asks for the bundle of a program where it may not look, such as a
    /// service's that has dropped its privileges. It has found none there for its own use, either.
    private static var bundleIdentifier: String? {
      guard let program = Path("/proc/self/exe").linkTarget,
        faccessat(AT_FDCWD, program.directory.bytes, R_OK | X_OK, AT_EACCESS) == 0
      else { return nil }
      return Bundle.main.bundleIdentifier.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static let directory: URL = {
      // As they were when the process was started, where Foundation looks: a later `setenv` changes nothing.
      // The system does not show them to a process that has dropped its privileges.
      let variables = (try? FileDescriptor(Path("/proc/self/environ"), O_RDONLY).readToEnd())
        .map { [UInt8]($0).split(separator: 0) }
      func variable(_ name: String) -> String? {
        guard let variables else { return ProcessInfo.processInfo.environment[name] }
        let start = Array("\(name)=".utf8)
        return variables.first { $0.starts(with: start) }
          .map { String(decoding: $0.dropFirst(start.count), as: UTF8.self) }
      }
      if let path = variable("XDG_CONFIG_HOME"), path.hasPrefix("/"), path != "/" {
        return URL(filePath: path, directoryHint: .isDirectory)
      }
      return URL(filePath: (variable("HOME") ?? "") + "/.config", directoryHint: .isDirectory)
    }()
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
      var found = Found()
      return try Self.read(Path(path), unless: known, &found)
    }

    /// What a reading has found at the file's place.
    fileprivate struct Found {
      /// None, if there was no file.
      var identity: Identity?
      /// The bytes, where the identity would not tell a file that is written once more.
      var bytes: Data?
    }

    fileprivate static func read(
      _ path: Path, unless known: Identity?, _ found: inout Found
    ) throws -> Reading {
      do {
        found = Found()
        // Asked first, because opening a pipe is an event to who writes to it.
        var status = stat()
        try SystemError.check { stat(path.bytes, &status) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw NotAFile() }
        let descriptor = try FileDescriptor(path, O_RDONLY | O_NONBLOCK)
        status = try descriptor.status()
        guard status.st_mode & S_IFMT == S_IFREG else { throw NotAFile() }
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

    /// Reads the file, unless it is the one that is known. What seems to be damaged, or is missing
    /// though it is expected, may be in the middle of another program's write, so it is read until it
    /// stands still.
    ///
    /// - Parameter patience: How long what seems to be damaged must stand still. A busy disk holds up
    ///   a write for longer than a first reader can be.
    func readSettled(
      unless known: Identity?, isExpected: Bool, patience: Duration = shortPatience
    ) throws -> Reading {
      var found = Found()
      return try Self.readSettled(
        Path(path), unless: known, isExpected: isExpected, patience: patience, &found)
    }

    fileprivate static func readSettled(
      _ path: Path, unless known: Identity?, isExpected: Bool, patience: Duration,
      _ found: inout Found
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
      let description = "It is not a regular file"
    }
  }

  // MARK: - Writing

  extension PreferencesFile {
    /// The file, while no other process that uses this library reads it in order to write it.
    struct Locked: ~Copyable {
      private let lock: DirectoryLock
      /// Where a symbolic link leads.
      private let path: Path
      private var found: Found?

      fileprivate init(_ file: PreferencesFile) throws {
        let path = try Self.followingLinks(Path(file.path))
        lock = try Self.locking(path.directory)
        self.path = path
      }

      /// The file to which a symbolic link leads, which need not be there.
      private static func followingLinks(_ path: Path) throws -> Path {
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
          // Another process may have been faster.
          if errno == EEXIST { return }
          throw SystemError()
        }
        // Whatever the mask, and whoever runs the program.
        try SystemError.check { chmod(path.bytes, 0o700) }
        if let owner = ownerToBe(in: parent) { chown(path.bytes, owner.user, owner.group) }
      }

      /// To whom root gives what it makes in a directory of another user's.
      private static func ownerToBe(in directory: Path) -> (user: uid_t, group: gid_t)? {
        var status = stat()
        guard geteuid() == 0, stat(directory.bytes, &status) == 0 else { return nil }
        return (status.st_uid, status.st_gid)
      }

      /// Reads the file as it is when it stands still.
      mutating func read(
        unless known: Identity?, isExpected: Bool = false, patience: Duration = shortPatience
      ) throws -> Reading {
        var found = Found()
        defer { self.found = found }
        return try readSettled(
          path, unless: known, isExpected: isExpected, patience: patience, &found)
      }

      enum Aside: Equatable {
        case kept(as: String)
        case alreadyKept
        case notKept
      }

      /// Files kept beside one file. The first ones are kept: what comes after is often damaged by the
      /// same cause.
      static let mostAside = 10

      /// Gives the file a second name beside its own, which stays when the file is replaced, unless it
      /// has one already, or too many others do.
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

      /// Replaces the file, as one step: whatever happens, it holds the old data or the new.
      ///
      /// - Returns: nil, and nothing is replaced, if the file is not the one any more that was read: an
      ///   editor takes no lock.
      func replace(with data: Data) throws -> Identity? {
        // One name for all, because the lock is one for all: what a killed process leaves behind is
        // cleared away by the next. It leaves room for any name of the file, too.
        var temporary = path.directory + Path(".TypedDefaults.saving")
        let descriptor = try Self.create(&temporary)
        // Twice, because an error may pass.
        defer { if unlink(temporary.bytes) == -1 { unlink(temporary.bytes) } }
        try setPermissions(descriptor)
        try descriptor.writeAll(data)
        // A time of its own, more precise than the file system's clock: see `isSettled`.
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

      /// Puts a file in this one's place.
      ///
      /// - Returns: Whether it is there: if this one is not as it was found, it stays.
      private func put(_ new: Path) throws -> Bool {
        if let bytes = found?.bytes {
          guard bytes == (try? FileDescriptor(path, O_RDONLY).readToEnd()) else { return false }
        }
        guard isAsFound(path) else { return false }
        // What comes between that look and the replacement would be lost. So the two change places,
        // where the file system can do that, and what has been replaced is looked at.
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

      /// - Parameter path: Becomes another one where it cannot be had.
      private static func create(_ path: inout Path) throws -> FileDescriptor {
        unlink(path.bytes)
        do {
          return try FileDescriptor(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        } catch let error as SystemError where error.code == EEXIST {
          // It is another user's, who alone may remove it, or a directory.
          path = path + Path("-\(UInt64.random(in: 0 ... .max))")
          return try FileDescriptor(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        }
      }

      private func setPermissions(_ descriptor: borrowing FileDescriptor) throws {
        var old = stat()
        let isThere = stat(path.bytes, &old) == 0
        // A program run as root must not take a user's settings from him.
        let owner = isThere ? (old.st_uid, old.st_gid) : Self.ownerToBe(in: path.directory)
        let new = try descriptor.status()
        if let owner, owner != (new.st_uid, new.st_gid) {
          _ = fchown(descriptor.number, owner.0, owner.1)
        }
        // Of a new file too, which the mask may have left without any.
        try SystemError.check { fchmod(descriptor.number, isThere ? old.st_mode & 0o777 : 0o600) }
      }
    }

    /// The file has been replaced, but a power failure may undo it.
    struct NotSafe: Error {
      let cause: any Error
    }

    /// Runs the body while no other process that uses this library does the same to a file of the
    /// directory.
    func withLock<R>(_ body: (inout Locked) throws -> R) throws -> R {
      var locked = try Locked(self)
      return try body(&locked)
    }
  }
#endif
