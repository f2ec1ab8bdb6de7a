import Foundation
import Synchronization
import TypedDefaults

/// The settings of one program, or those in a file.
struct Domain {
  let name: String

  /// - Parameter word: The name of a suite, or the path of a file.
  init(_ word: String) throws {
    switch word {
    case "-g", "-globalDomain", "NSGlobalDomain", "Apple Global Domain":
      throw Failure(
        "The global domain is not supported, because programs on Linux do not share it. Name a domain."
      )
    case "-app", "-currentHost", "-host":
      throw Failure("\(word) is not supported on Linux. Name a domain.")
    case "": throw Failure.usage
    case _ where ["/", "./", "../"].contains(where: word.hasPrefix):
      let path = URL(filePath: word).standardizedFileURL.path
      name = path.hasSuffix(".plist") ? String(path.dropLast(".plist".count)) : path
    default: name = word
    }
  }

  private init(named name: String) {
    self.name = name
  }

  /// All domains that have keys, but for those that are paths.
  static var all: [(domain: Domain, contents: [String: Any])] {
    guard let folder = UserDefaults.saved.fileURL?.deletingLastPathComponent() else { return [] }
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".plist") && !$0.hasPrefix(".") }.sorted().compactMap {
      file in
      let domain = Domain(named: String(file.dropLast(".plist".count)))
      do {
        let contents = try domain.contents
        return contents.isEmpty ? nil : (domain, contents)
      } catch {
        warn("\(error)")
        return nil
      }
    }
  }

  // The same object each time. A property would not be `Sendable`, as this type is.
  private var store: UserDefaults { .saved(suiteName: name) }

  // MARK: Reading

  /// What is stored; empty if the domain is missing.
  private var contents: [String: Any] {
    get throws {
      let store = store
      if let issue = store.fileIssue {
        throw Failure("Domain \(name) is left alone: \(issue)")
      }
      return store.persistentDomain(forName: name) ?? [:]
    }
  }

  /// What is stored in a domain that has keys.
  var existing: [String: Any] {
    get throws {
      let contents = try contents
      return contents.isEmpty ? try { throw Failure.missing(name) }() : contents
    }
  }

  func value(_ key: String) throws -> Any {
    guard let value = try existing[key] else { throw Failure.missing(name, key) }
    return value
  }

  // MARK: Writing

  /// Makes changes that no other program comes between, and waits until they are on disk.
  ///
  /// - Parameter body: Receives the contents as they are now, and changes the store.
  func change(_ body: (_ store: UserDefaults, _ contents: [String: Any]) throws -> Void) throws {
    _ = try contents  // Before a lock is taken: a damaged file would take seconds there.
    let store = store
    try store.exclusively { try body(store, contents) }
    try store.flush()
  }

  /// Makes a change of a domain that has keys. Nothing is made or locked for one that has none.
  func changeExisting(_ body: (UserDefaults, [String: Any]) throws -> Void) throws {
    _ = try existing
    try change { store, contents in
      if contents.isEmpty { throw Failure.missing(name) }
      try body(store, contents)
    }
  }

  /// Stores values, all or none.
  func store(_ values: [String: Any], replacing: Bool) throws {
    try Self.check(values)
    try change { store, contents in
      if replacing {
        for key in contents.keys where values[key] == nil { store.removeObject(forKey: key) }
      }
      for (key, value) in values { store.set(value, forKey: key) }
    }
  }

  /// Refuses what no property list can hold, which a store only reports.
  static func check(_ values: [String: Any]) throws {
    let trial = UserDefaults.inMemory(values)
    for key in values.keys.sorted() where trial.object(forKey: key) == nil {
      throw Failure("Could not write \(key); leaving defaults unchanged.")
    }
  }

  // MARK: Watching

  /// Calls a function with each key that any program changes, and with its value, or nil for one that is
  /// deleted. The calls come one after the other, until the program ends.
  func watch(_ report: @escaping @Sendable (_ key: String, _ value: Any?) -> Void) {
    let known = Mutex<[String: String]?>(nil)
    let look = { @Sendable in
      known.withLock { known in
        // While the file is damaged, its last good contents.
        let contents = store.persistentDomain(forName: name) ?? [:]
        // With the type, because 1 is not true.
        let new = contents.mapValues { "\(typeName(of: $0)) \(text(of: $0))" }
        if let old = known {
          for key in Set(old.keys).union(new.keys).sorted() where old[key] != new[key] {
            report(key, contents[key])
          }
        }
        known = new
      }
    }
    // Before the first look, so that no later change is missed.
    _ = NotificationCenter.default.addObserver(
      forName: UserDefaults.didChangeNotification, object: store, queue: nil
    ) { _ in look() }
    look()
  }
}
