#if os(Linux) || os(Android)
  internal import Foundation
  internal import Synchronization

  #if canImport(Glibc)
    internal import Glibc
  #else
    internal import Musl
  #endif

  /// Calls back when a file may be another one than before: written, replaced, created or deleted, by
  /// any process, this one too.
  ///
  /// What is watched are directories, because a file that is replaced is another file: the one that
  /// holds it, or the nearest one that exists, and above it each, lest it be moved away. A symbolic
  /// link on the way is watched together with where it leads.
  ///
  /// A file system of another machine tells nothing, nor does one of this machine when the user has
  /// too many watches; then nothing is called back.
  final class FileWatcher: Sendable {
    private let id: Int

    /// Starts to watch. A change after that is not missed.
    ///
    /// - Parameters:
    ///   - path: The absolute path of the file. Neither it nor its directory need exist.
    ///   - onChange: Called on the watchers' own thread, which must not be held up, and with no lock
    ///     held. One change may be told several times, or be none.
    init(path: String, onChange: @escaping @Sendable () -> Void) {
      id = Inotify.shared.add(path, onChange)
      _ = Self.endsAtExit
    }

    /// The kernel takes ten milliseconds to end a process that still watches.
    private static let endsAtExit: Void = {
      atexit { Inotify.shared.removeAll() }
    }()

    deinit {
      Inotify.shared.remove(id)
    }
  }

  /// The process's one inotify descriptor, with a thread that sleeps until the kernel has something.
  private final class Inotify: Sendable {
    static let shared = Inotify()

    private struct File {
      let path: String
      let onChange: @Sendable () -> Void
    }

    /// What is looked for in one watched directory.
    private struct Watch {
      /// The files by the names at which their paths end.
      var files: [String: Set<Int>] = [:]
      /// The names at which paths go on: a link, or what does not exist yet.
      var steps: Set<String> = []
    }

    private struct State {
      var descriptor = inotify_init1(Int32(IN_CLOEXEC))
      var files: [Int: File] = [:]
      var lastID = 0
      var watches: [Int32: Watch] = [:]
    }

    private let thread = SerialThread(name: "Defaults.watch")
    private let state = Mutex(State())

    private init() {
      thread.perform { [self] in listen() }
      Fork.handle(
        .init(inChild: { [self] in
          // The parent's would tell one of the two.
          state.withLock {
            close($0.descriptor)
            $0.descriptor = -1
          }
          // The child may soon be another program, whose start an open one would hold up.
          thread.perform(after: .milliseconds(50)) { [self] in
            Fork.waitingFor { startAgain() }
            listen()
          }
        }))
    }

    private func listen() {
      let descriptor = state.withLock { $0.descriptor }
      while let events = readEvents(descriptor) {
        Fork.waitingFor { handle(events) }
      }
    }

    private func startAgain() {
      let files = state.withLock { state in
        state.descriptor = inotify_init1(Int32(IN_CLOEXEC))
        rewatch(&state)
        return state.files.values
      }
      for file in files { file.onChange() }
    }

    func add(_ path: String, _ onChange: @escaping @Sendable () -> Void) -> Int {
      state.withLock { state in
        state.lastID += 1
        state.files[state.lastID] = File(path: path, onChange: onChange)
        watch(state.lastID, path, &state)
        return state.lastID
      }
    }

    func remove(_ id: Int) {
      // Given up outside the lock, because what it captured may end a watcher.
      _ = state.withLock { state in
        let file = state.files.removeValue(forKey: id)
        // What is watched for others goes on: a watch that ends loses what it had still to tell.
        if state.files.isEmpty { rewatch(&state) }
        return file
      }
    }

    /// At the end of the process, where a lock may never be released.
    func removeAll() {
      state.withLockIfAvailable { removeWatches(&$0) }
    }

    // MARK: Watching

    private static let ofDirectory = UInt32(IN_DELETE_SELF | IN_MOVE_SELF) | UInt32(IN_ONLYDIR)
    private static let ofEntries = UInt32(
      IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)

    /// Starts again from nothing, so that no directory is watched for longer than it need be.
    private func rewatch(_ state: inout State) {
      removeWatches(&state)
      for (id, file) in state.files { watch(id, file.path, &state) }
    }

    private func removeWatches(_ state: inout State) {
      for watch in state.watches.keys { inotify_rm_watch(state.descriptor, watch) }
      state.watches = [:]
    }

    private func watch(_ id: Int, _ path: String, _ state: inout State) {
      // What was found on the way down may be gone when its turn comes.
      while (try? walk(id, path, &state)) == nil {}
    }

    private struct WayChanged: Error {}

    /// Walks down a path as far as it exists, through links too, and watches on the way.
    private func walk(_ id: Int, _ path: String, _ state: inout State) throws(WayChanged) {
      var directory = "/"
      var rest = components(path)
      var linksLeft = 40  // as many as the system follows
      while let name = rest.popLast() {
        let entry = directory + name
        if !rest.isEmpty, kind(of: entry) == S_IFDIR {
          _ = try add(Self.ofDirectory, directory, &state)
          directory = entry + "/"
          continue
        }
        let watch = try add(Self.ofDirectory | Self.ofEntries, directory, &state)
        // Looked at only now, when a change of it would be told.
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
          guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: entry)
          else { throw WayChanged() }
          if target.hasPrefix("/") { directory = "/" }
          rest += components(target)
        } else {
          return
        }
      }
    }

    private func add(
      _ mask: UInt32, _ directory: String, _ state: inout State
    ) throws(WayChanged) -> Int32 {
      let watch = inotify_add_watch(state.descriptor, directory, mask | UInt32(IN_MASK_ADD))
      if watch >= 0 {
        if state.watches[watch] == nil { state.watches[watch] = Watch() }
      } else if errno == ENOENT || errno == ENOTDIR {
        throw WayChanged()
      }
      // A directory that may be passed but not listed cannot be watched. One beneath it may be.
      return watch
    }

    /// Last component first.
    private func components(_ path: String) -> [String] {
      path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
    }

    private func kind(of path: String) -> mode_t? {
      var status = stat()
      return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    // MARK: Being told

    private struct Event {
      let watch: Int32
      let mask: UInt32
      let name: String
    }

    private func readEvents(_ descriptor: CInt) -> [Event]? {
      withUnsafeTemporaryAllocation(
        byteCount: 16384, alignment: MemoryLayout<inotify_event>.alignment
      ) { buffer in
        let count = read(descriptor, buffer.baseAddress!, buffer.count)
        guard count >= 0 else { return errno == EINTR ? [] : nil }
        var events: [Event] = []
        var offset = 0
        while offset < count {
          let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
          offset += MemoryLayout<inotify_event>.size
          let name = buffer[offset..<offset + Int(event.len)].prefix { $0 != 0 }
          events.append(
            Event(watch: event.wd, mask: event.mask, name: String(decoding: name, as: UTF8.self)))
          offset += Int(event.len)
        }
        return events
      }
    }

    private func handle(_ events: [Event]) {
      let calls = state.withLock { state in
        var changed: Set<Int> = []
        for event in events {
          if isChangeOfWay(event, state) {
            rewatch(&state)
            // What the old watches had still to tell is lost, so each file may have changed.
            changed = Set(state.files.keys)
            break
          }
          changed.formUnion(state.watches[event.watch]?.files[event.name] ?? [])
        }
        return changed.compactMap { state.files[$0]?.onChange }
      }
      for call in calls { call() }
    }

    /// Whether other directories are to be watched now.
    private func isChangeOfWay(_ event: Event, _ state: State) -> Bool {
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
      guard let watch = state.watches[event.watch] else { return false }
      let hasGone = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT)
      if event.mask & hasGone != 0 || watch.steps.contains(event.name) { return true }
      // A file that is a link now, and so is to be watched where it leads, too.
      return (watch.files[event.name] ?? []).contains { id in
        state.files[id].map { kind(of: $0.path) } == S_IFLNK
      }
    }
  }
#endif
