#if !TYPED_DEFAULTS_PLATFORM_SAVES
  internal import Foundation

  /// The property lists in which an administrator gives objects to the keys of one suite. The library
  /// reads and watches them, and never writes them.
  ///
  /// There may be several files of one kind, which the end of their names tells: one in each
  /// directory of the system's configuration.
  final class AdministratorFiles: Sendable {
    /// One file, and what was read from it last.
    private struct File {
      let suffix: String
      let file: PreferencesFile
      var contents = PreferencesContents()
      var identity: FileVersion?
      /// Whether it is reported that the file cannot be read.
      var isReported = false
    }

    private let files: Mutex<[File]>
    private let onChange: @Sendable (_ files: AdministratorFiles, _ keys: [String]) -> Void

    /// - Parameters:
    ///   - suffixes: The ends of the names, which begin with the name of the suite.
    ///   - own: The user's own file, which is no administrator's.
    ///   - onChange: Called when the objects of keys have changed, before anybody is told.
    init(
      _ suffixes: [String], besides own: PreferencesFile, directories: [String] = directories,
      onChange: @escaping @Sendable (_ files: AdministratorFiles, _ keys: [String]) -> Void
    ) {
      files = Mutex(
        suffixes.flatMap { suffix in
          directories.map { directory in
            let path = "\(directory)/\(own.name)\(suffix)"
            return File(suffix: suffix, file: PreferencesFile(path: path))
          }
        }.filter { $0.file.path != own.path })
      self.onChange = onChange
    }

    /// The system's directories for configuration files, the one that wins first.
    static let directories: [String] = {
      let list = Program.variable("XDG_CONFIG_DIRS") ?? ""
      return (list.isEmpty ? "/etc/xdg" : list).split(separator: ":").map(String.init)
        .filter(\.isAbsolutePath)
    }()

    // MARK: Called by any thread

    /// Returns all objects of the files of one kind, those of the first directory first.
    func objects(_ suffix: String) -> [[String: PropertyListObject]] {
      files(suffix).map(\.contents.objects)
    }

    /// Returns the path of the first file of one kind that gives a key an object.
    func path(of object: PropertyListObject, _ key: String, _ suffix: String) -> String? {
      files(suffix).first { $0.contents[key] == object }?.file.path
    }

    private func files(_ suffix: String) -> [File] {
      files.withLock { $0.filter { $0.suffix == suffix } }
    }

    // MARK: Reading

    /// The paths of all files, which may be missing.
    var paths: [String] { files.withLock { $0.map(\.file.path) } }

    /// Reads the files that have changed. The last good contents of a file that cannot be read stay
    /// in place. One thread calls this at a time.
    ///
    /// - Returns: The issues to report, and the keys whose objects have changed.
    func read() -> PreferencesSaver.Announcement {
      // Copies, because the threads that ask for objects do not wait for a disk.
      var files = files.withLock { $0 }
      var issues: [DefaultsIssue] = []
      var keys: Set<String> = []
      for index in files.indices {
        let issue = Self.read(&files[index], &keys)
        if let issue, !files[index].isReported { issues.append(issue) }
        files[index].isReported = issue != nil
      }
      self.files.withLock { $0 = files }
      if !keys.isEmpty { onChange(self, Array(keys)) }
      return PreferencesSaver.Announcement(issues: issues, keys: Array(keys))
    }

    private static func read(_ file: inout File, _ keys: inout Set<String>) -> DefaultsIssue? {
      var new = PreferencesContents()
      let isLoaded = !file.contents.keys.isEmpty
      do {
        switch try file.file.readSettled(
          unless: file.identity, isExpected: false, patience: .milliseconds(100)
        ).reading {
        case .unchanged: return nil
        case .missing: file.identity = nil
        case .contents(let contents, let identity): (new, file.identity) = (contents, identity)
        case .damaged(_, let error):
          return .notRead(file.file, "is damaged", error, isLoaded: isLoaded)
        }
      } catch ENAMETOOLONG {
        return nil  // There can be no such file.
      } catch {
        return .notRead(file.file, "cannot be read", error, isLoaded: isLoaded)
      }
      keys.formUnion(file.contents.differences(in: new).keys)
      file.contents = new
      return nil
    }
  }
#endif
