#if !TYPED_DEFAULTS_PLATFORM_SAVES
  internal import Foundation
  internal import Synchronization

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
      guard let program = try? "/proc/self/exe".linkTarget,
        faccessat(AT_FDCWD, program.parentDirectory, R_OK | X_OK, AT_EACCESS) == 0
      else { return nil }
      return Bundle.main.bundleIdentifier.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The directory of all suites whose names are no absolute paths.
    static let directory: URL = {
      if let path = variable("XDG_CONFIG_HOME"), path.isAbsolutePath, path != "/" {
        return URL(filePath: path, directoryHint: .isDirectory)
      }
      return URL(filePath: (variable("HOME") ?? "") + "/.config", directoryHint: .isDirectory)
    }()

    /// Whether this is the first file that is where it is because the process has no home.
    func isFirstWithoutHome() -> Bool {
      let home = "/.config/"
      return Self.directory.path(percentEncoded: false) == home && path.hasPrefix(home)
        && (Self.variable("HOME") ?? "").isEmpty
        && !Self.isToldOfHome.exchange(true, ordering: .relaxed)
    }

    private static let isToldOfHome = Atomic(false)

    /// The variables at the start of the process, which Foundation uses: a later `setenv` changes
    /// nothing. A process that has dropped its privileges cannot read them.
    private static let variables =
      (try? FileDescriptor("/proc/self/environ", O_RDONLY).readToEnd())
      .map { [UInt8]($0).split(separator: 0) }

    static func variable(_ name: String) -> String? {
      guard let variables else { return ProcessInfo.processInfo.environment[name] }
      let start = Array("\(name)=".utf8)
      return variables.first { $0.starts(with: start) }
        .map { String(decoding: $0.dropFirst(start.count), as: UTF8.self) }
    }
  }

  extension String {
    /// The target of a symbolic link; nil if this is no link.
    ///
    /// - Throws: `EILSEQ` if the target is no text in UTF-8, which names another file than its bytes do.
    var linkTarget: String? {
      get throws {
        // Not bytes without a sign: for those, Swift 6.0.3 hands over the address of the array itself.
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(self, &bytes, bytes.count)
        if count == -1 { return nil }
        guard let target = String(validating: bytes[..<count], as: UTF8.self) else {
          throw SystemError(EILSEQ)
        }
        return target.isAbsolutePath ? target : parentDirectory + target
      }
    }
  }

  // MARK: - Reading

  extension PreferencesFile {
    /// The identity of one state of the file.
    struct Identity: Equatable {
      private let file: FileIdentity
      private let size: off_t
      private let seconds: time_t
      private let nanoseconds: Int

      /// - Parameter isExact: Whether the file has the time of its last write.
      init(_ status: stat, isExact: Bool = true) {
        file = FileIdentity(status)
        size = status.st_size
        seconds = status.st_mtim.tv_sec
        nanoseconds = isExact ? status.st_mtim.tv_nsec : -1
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
      /// The bytes of a file that `UserDefaults` cannot read, and why.
      case damaged(Data, any Error)

      /// The bytes of a file that may be in the middle of a write, `.some(nil)` for a missing file;
      /// nil if the file is whole.
      fileprivate func unsettled(_ isExpected: Bool) -> Data?? {
        switch self {
        case .damaged(let data, _): data
        case .missing where isExpected: .some(nil)
        default: nil
        }
      }
    }

    /// The file that a reading has found.
    struct Seen {
      /// Nil if the file is missing.
      var identity: Identity?
      /// The bytes, if the identity is not settled.
      var bytes: Data?
    }

    /// Reads the file, unless it has a known identity.
    func read(unless known: Identity?) throws -> (reading: Reading, found: Seen) {
      do {
        // Asked before opening: to open a pipe would wake its writer.
        let mode = try FileDescriptor.status(of: path).st_mode
        guard mode & S_IFMT == S_IFREG else { throw NotAFile(mode) }
        let descriptor = try FileDescriptor(path, O_RDONLY | O_NONBLOCK)
        let identity = Identity(try descriptor.status())
        if identity == known { return (.unchanged, Seen(identity: identity)) }
        let data = try descriptor.readToEnd()
        let isSettled = identity.isSettled
        let found = Seen(identity: identity, bytes: isSettled ? nil : data)
        do {
          let contents = try PreferencesContents(parsing: data)
          return (.contents(contents, isSettled ? identity : nil), found)
        } catch {
          return (.damaged(data, error), found)
        }
      } catch let error as SystemError where error.code == ENOENT || error.code == ENOTDIR {
        return (.missing, Seen())
      }
    }

    /// Reads the file, unless it has a known identity, until it stands still. A file that seems
    /// damaged, or is missing though expected, may be in the middle of another program's write.
    ///
    /// - Parameter patience: The time for which a damaged file must stand still: long where it is
    ///   going to be replaced, because a busy disk may delay the write.
    func readSettled(
      unless known: Identity?, isExpected: Bool, patience: Duration
    ) throws -> (reading: Reading, found: Seen) {
      var result = try read(unless: known)
      let start = ContinuousClock.now
      var lastChange = start
      while let bytes = result.reading.unsettled(isExpected) {
        let patience = bytes == nil ? .milliseconds(100) : patience
        let now = ContinuousClock.now
        if now - lastChange > patience || now - start > patience * 2 { break }
        usleep(10_000)
        result = try read(unless: nil)
        if result.reading.unsettled(isExpected) != bytes { lastChange = .now }
      }
      return result
    }

    struct NotAFile: Error, CustomStringConvertible {
      let description: String

      fileprivate init(_ mode: mode_t) {
        description =
          mode & S_IFMT == S_IFDIR ? "it is a directory" : "it is a pipe, a socket or a device"
      }
    }
  }
#endif
