#if os(Linux)
  import Foundation

  /// What a disk has of the files in a folder, as little as POSIX promises. A sync of a file keeps its
  /// contents, and one of a directory the names in it. Of all else, a power failure may leave any part.
  struct Disk {
    /// What a program asks of the file system. A path is absolute, and leads through no link.
    enum Operation: Equatable {
      case create(String)
      case makeDirectory(String)
      case truncate(String)
      case append(Data, to: String)
      case rename(String, to: String)
      case exchange(String, String)
      case remove(String)
      case synchronize(String)
      case synchronizeAll
      /// The program prints a line, for example that a change is saved.
      case say(String)

      var isSync: Bool {
        switch self {
        case .synchronize, .synchronizeAll: true
        default: false
        }
      }
    }

    /// The bytes of the files that are left after a power failure, by their paths.
    typealias State = [String: Data]

    struct Unknown: Error {
      let operation: String
    }

    private enum Write {
      case truncation
      case addition(Data)
    }

    private struct File {
      var bytes = Data()
      /// What no sync has followed.
      var writes: [Write] = []
      var isDirectory = false

      /// The bytes that may be left.
      var outcomes: Set<Data> {
        writes.reduce([bytes]) { outcomes, write in
          outcomes.reduce(into: outcomes) { all, bytes in
            switch write {
            case .truncation: all.insert(Data())
            case .addition(let data):
              // The beginning only, the length only, or all.
              all.formUnion(
                [data.prefix(data.count / 2), Data(count: data.count), data].map { bytes + $0 })
            }
          }
        }
      }

      mutating func synchronize() {
        for write in writes {
          switch write {
          case .truncation: bytes = Data()
          case .addition(let data): bytes += data
          }
        }
        writes = []
      }
    }

    /// A change of names in one step.
    private struct Change {
      let directory: String
      let names: [String: Int?]
    }

    /// A file keeps its number under all names.
    private var files: [File] = []
    private var names: [String: Int] = [:]
    /// What no sync of the directory has followed.
    private var changes: [Change] = []

    /// Creates a disk that has the files of a folder, without links.
    init(_ folder: String) throws {
      names[folder] = add(File(isDirectory: true))
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
        let path = "\(folder)/\(name)"
        switch try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType {
        case .typeDirectory: names[path] = add(File(isDirectory: true))
        case .typeRegular: names[path] = add(File(bytes: try Data(contentsOf: URL(filePath: path))))
        default: break
        }
      }
    }

    private mutating func add(_ file: File) -> Int {
      files.append(file)
      return files.count - 1
    }

    /// The names that the program sees.
    private var visibleNames: [String: Int] { names(with: changes) }

    private func names(with changes: some Sequence<Change>) -> [String: Int] {
      changes.reduce(into: names) { names, change in
        for (name, file) in change.names { names[name] = file }
      }
    }

    mutating func perform(_ operation: Operation) throws {
      func file(_ path: String) throws -> Int {
        guard let file = visibleNames[path] else { throw Unknown(operation: "\(operation)") }
        return file
      }
      switch operation {
      case .create(let path):
        if visibleNames[path] == nil { try change([path: add(File())]) }
      case .makeDirectory(let path): try change([path: add(File(isDirectory: true))])
      case .truncate(let path): files[try file(path)].writes.append(.truncation)
      case .append(let data, let path): files[try file(path)].writes.append(.addition(data))
      case .rename(let old, let new): try change([old: nil, new: try file(old)])
      case .exchange(let one, let other): try change([one: try file(other), other: try file(one)])
      case .remove(let path): try change([path: nil])
      case .synchronize(let path):
        files[try file(path)].synchronize()
        names = names(with: changes.filter { $0.directory == path })
        changes.removeAll { $0.directory == path }
      case .synchronizeAll:
        for index in files.indices { files[index].synchronize() }
        (names, changes) = (visibleNames, [])
      case .say: break
      }
    }

    private mutating func change(_ names: KeyValuePairs<String, Int?>) throws {
      let directories = Set(names.map { Self.directory($0.key) })
      guard directories.count == 1 else { throw Unknown(operation: "a move to another directory") }
      changes.append(
        Change(
          directory: directories.first!,
          names: Dictionary(uniqueKeysWithValues: names.map { ($0.key, $0.value) })))
    }

    private static func directory(_ path: String) -> String {
      String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    /// What a power failure may leave now: any of the changes of names, and of each file any part.
    var states: Set<State> {
      (0..<1 << changes.count).reduce(into: []) { states, choice in
        let names = names(
          with: changes.enumerated().filter { choice >> $0.offset & 1 == 1 }.map(\.element))
        var part: [State] = [[:]]
        for (path, file) in names where !files[file].isDirectory && isReached(path, names) {
          part = files[file].outcomes.flatMap { bytes in
            part.map { $0.merging([path: bytes]) { $1 } }
          }
        }
        states.formUnion(part)
      }
    }

    private func isReached(_ path: String, _ names: [String: Int]) -> Bool {
      let directory = Self.directory(path)
      // Above the folder all is there.
      guard visibleNames[directory] != nil else { return true }
      return names[directory] != nil && isReached(directory, names)
    }
  }
#endif
