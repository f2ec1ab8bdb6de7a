#if os(Linux) || os(Android)
  internal import Foundation

  /// Calls back, for the rest of the process, when any process, this one included, may have written,
  /// replaced, created or deleted a file.
  ///
  /// Inotify follows a file, not its name, and a save replaces the file. So this watches
  /// directories: the one that holds the file, or the nearest that exists, and all above it, which
  /// may be moved. It watches a symbolic link on the way, and the place where the link leads.
  ///
  /// It sees no changes that another machine makes to a network file system, and no changes at all
  /// once the user has too many watches.
  final class FileWatcher: Sendable {
    /// Starts to watch a file. No later change is missed.
    ///
    /// - Parameters:
    ///   - path: The absolute path of the file, which may be missing, and its directory, too.
    ///   - onChange: Called while no lock is held, on the watchers' own thread: return soon. One
    ///     change may lead to several calls, and a call may come without a change.
    static func watch(_ path: String, onChange: @escaping @Sendable () -> Void) {
      shared.state.withLock { state in
        state.files.append((path, onChange))
        shared.watch(state.files.count - 1, &state)
      }
    }

    private static let shared = FileWatcher()

    /// The names to follow in one watched directory.
    private struct Watch {
      /// The files by the names at which their paths end.
      var files: [String: Set<Int>] = [:]
      /// The names at which paths go on: a link, or what does not exist yet.
      var steps: Set<String> = []
    }

    private struct State {
      var files: [(path: String, onChange: @Sendable () -> Void)] = []
      var watches: [Int32: Watch] = [:]
    }

    private let descriptor = inotify_init1(Int32(IN_CLOEXEC))
    private let state = Mutex(State())

    private init() { Self.thread.wake() }

    private static let thread = ServiceThread(name: "Defaults.watch") { _ in
      shared.listen()
      return nil
    }

    private func listen() {
      var buffer = [UInt8](repeating: 0, count: 16384)
      while let count = try? SystemError.check({ read(descriptor, &buffer, buffer.count) }) {
        handle(events(in: buffer[..<count]))
      }
    }

    // MARK: Watching

    private static let ofDirectory = UInt32(IN_DELETE_SELF | IN_MOVE_SELF) | UInt32(IN_ONLYDIR)
    private static let ofEntries = UInt32(
      IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)

    /// Starts again from nothing, so that no directory is watched for nothing.
    private func rewatch(_ state: inout State) {
      for watch in state.watches.keys { inotify_rm_watch(descriptor, watch) }
      state.watches = [:]
      for id in state.files.indices { watch(id, &state) }
    }

    private func watch(_ id: Int, _ state: inout State) {
      // A directory found on the way down may be gone before it is watched. Where another program
      // changes the way without end, a later change of it starts again.
      for _ in 0..<100 where (try? walk(id, &state)) != nil { return }
    }

    /// Walks down a path as far as it exists, through links too, and watches on the way.
    ///
    /// - Throws: An error if the way changes meanwhile.
    private func walk(_ id: Int, _ state: inout State) throws {
      var directory = "/"
      var rest = components(state.files[id].path)
      var linksLeft = 40  // as many as the system follows
      while let name = rest.popLast() {
        let entry = directory + name
        if !rest.isEmpty, kind(of: entry) == S_IFDIR {
          _ = try add(Self.ofDirectory, directory, &state)
          directory = entry + "/"
          continue
        }
        let watch = try add(Self.ofDirectory | Self.ofEntries, directory, &state)
        // Asked after the watch has begun, so that no change is missed.
        let kind = kind(of: entry)
        if rest.isEmpty, kind != S_IFLNK {
          state.watches[watch]?.files[name, default: []].insert(id)
        } else {
          state.watches[watch]?.steps.insert(name)
        }
        if kind == S_IFDIR {
          directory = entry + "/"
        } else if kind == S_IFLNK, linksLeft > 0 {
          linksLeft -= 1
          let target = try FileManager.default.destinationOfSymbolicLink(atPath: entry)
          if target.isAbsolutePath { directory = "/" }
          rest += components(target)
        } else {
          return
        }
      }
    }

    private func add(_ mask: UInt32, _ directory: String, _ state: inout State) throws -> Int32 {
      let watch = inotify_add_watch(descriptor, directory, mask | UInt32(IN_MASK_ADD))
      if watch >= 0 {
        if state.watches[watch] == nil { state.watches[watch] = Watch() }
      } else if errno == ENOENT || errno == ENOTDIR {
        throw SystemError()
      }
      // A directory without read permission cannot be watched. A directory inside it may be.
      return watch
    }

    /// Last component first.
    private func components(_ path: String) -> [String] {
      path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
        .filter { $0 != "." }.reversed()
    }

    private func kind(of path: String) -> mode_t? {
      var status = stat()
      return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    // MARK: Events

    private typealias Event = (watch: Int32, mask: UInt32, name: String)

    private func events(in bytes: ArraySlice<UInt8>) -> [Event] {
      var events: [Event] = []
      var rest = bytes
      while !rest.isEmpty {
        let event = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
        let bytes = rest.dropFirst(MemoryLayout<inotify_event>.size).prefix(Int(event.len))
        let name = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        events.append((event.wd, event.mask, name))
        rest = rest[bytes.endIndex...]
      }
      return events
    }

    private func handle(_ events: [Event]) {
      let hasGone = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT)
      let calls = state.withLock { state in
        var changed: Set<Int> = []
        for event in events {
          let watch = state.watches[event.watch]
          let isStep = watch?.steps.contains(event.name) ?? false
          if event.mask & UInt32(IN_Q_OVERFLOW) != 0 || isStep
            || watch != nil && event.mask & hasGone != 0
          {
            rewatch(&state)
            // The pending events of the old watches are lost, so each file may have changed.
            changed = Set(state.files.indices)
            break
          }
          for id in watch?.files[event.name] ?? [] {
            changed.insert(id)
            // The file may have become a link, whose target is to be watched, too.
            self.watch(id, &state)
          }
        }
        return changed.map { state.files[$0].onChange }
      }
      for call in calls { call() }
    }
  }
#endif
