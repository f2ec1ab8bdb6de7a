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
        filePath: name + FileFormat.suffix, directoryHint: .notDirectory, relativeTo: Self.directory
      )
      path = url.absoluteURL.path(percentEncoded: false)
    }

    /// Whether there can be such a file: system calls end a path at a NUL.
    var canExist: Bool { !path.utf8.contains(0) }

    /// The name of the suite that Foundation keeps in the file.
    var name: String { String(path.lastPathComponent.dropLast(FileFormat.suffix.count)) }

    init(path: String) {
      self.path = path
    }

    /// Nil where `Bundle.main` would end the process. Foundation's own class uses no bundle there,
    /// either.
    private static var bundleIdentifier: String? {
      guard Program.isReadable else { return nil }
      return Bundle.main.bundleIdentifier.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The directory of all suites whose names are no absolute paths.
    static let directory: URL = {
      var path = Program.variable("XDG_CONFIG_HOME") ?? ""
      if !path.isAbsolutePath || path == "/" {
        path = (Program.variable("HOME") ?? "") + "/.config"
      }
      return URL(filePath: path, directoryHint: .isDirectory)
    }()
  }

  // MARK: - Reading

  extension PreferencesFile {
    enum Reading {
      case unchanged
      case missing
      /// The contents of the file, and the identity for a later reading. Nil for a missing file.
      case contents(PreferencesContents, FileVersion?)
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
      var identity: FileVersion?
      /// The bytes, if the identity is not settled.
      var bytes: Data?
    }

    /// Reads the file, unless it has a known identity.
    func read(unless known: FileVersion?) throws -> (reading: Reading, found: Seen) {
      do {
        let descriptor = try FileDescriptor(reading: path)
        let identity = try FileStatus(of: descriptor).version()
        if identity == known { return (.unchanged, Seen(identity: identity)) }
        let data = try descriptor.readToEnd()
        let isSettled = identity.isSettled
        let found = Seen(identity: identity, bytes: isSettled ? nil : data)
        do {
          let contents = try PreferencesContents(parsing: data)
          return (.contents(contents, isSettled ? identity : identity.unsettled), found)
        } catch {
          return (.damaged(data, error), found)
        }
      } catch ENOENT, ENOTDIR {
        return (.missing, Seen())
      }
    }

    /// Reads the file, unless it has a known identity, until it stands still. A file that seems
    /// damaged, or is missing though expected, may be in the middle of another program's write.
    ///
    /// - Parameter patience: The time for which a damaged file must stand still: long where it is
    ///   going to be replaced, because a busy disk may delay the write.
    func readSettled(
      unless known: FileVersion?, isExpected: Bool, patience: Duration
    ) throws -> (reading: Reading, found: Seen) {
      var result = try read(unless: known)
      let start = ContinuousClock.now
      var lastChange = start
      while let bytes = result.reading.unsettled(isExpected) {
        let patience = bytes == nil ? .milliseconds(100) : patience
        let now = ContinuousClock.now
        if now - lastChange > patience || now - start > patience * 2 { break }
        Duration.milliseconds(10).sleep()
        result = try read(unless: nil)
        if result.reading.unsettled(isExpected) != bytes { lastChange = .now }
      }
      return result
    }
  }
#endif
