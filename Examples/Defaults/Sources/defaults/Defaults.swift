import Dispatch
import Foundation
import TypedDefaults

@main
enum Defaults {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    do {
      let isWatching = words.first == "watch"
      DefaultsIssue.setHandler { issue in
        // Otherwise these two are the reason of a failure, which is printed once.
        if isWatching || ![.damagedFile, .saveFailed].contains(issue.kind) { warn("\(issue)") }
      }
      try run(words.first ?? "", Array(words.dropFirst()))
    } catch let failure as Failure where failure.description.isEmpty {
      write(usage)
      exit(255)
    } catch {
      warn("\(error)")
      exit(1)
    }
  }

  private static func run(_ command: String, _ words: [String]) throws {
    switch (command.lowercased(), words.count) {
    case ("read", 0):
      let all = Domain.all.map { ($0.domain.name, $0.contents) }
      write(text(of: Dictionary(uniqueKeysWithValues: all)))
    case ("read", 1): write(text(of: try Domain(words[0]).existing))
    case ("read", 2): write(text(of: try Domain(words[0]).value(words[1])))
    case ("read-type", 2): write("Type is \(typeName(of: try Domain(words[0]).value(words[1])))")
    case ("write", 2):
      guard let contents = try Value.parse(words[1]) as? [String: Any] else {
        throw Failure("Rep argument is not a dictionary\nDefaults have not been changed.")
      }
      try Domain(words[0]).store(contents, replacing: true)
    case ("write", 3...): try set(words[1], Value(words.dropFirst(2)), in: Domain(words[0]))
    case ("rename", 3): try rename(words[1], to: words[2], in: Domain(words[0]))
    case ("delete", 1), ("remove", 1):
      try Domain(words[0]).changeExisting { store, contents in
        for key in contents.keys { store.removeObject(forKey: key) }
      }
    case ("delete", 2), ("remove", 2): try delete(words[1], in: Domain(words[0]))
    case ("import", 2): try Domain(words[0]).store(contents(of: words[1]), replacing: false)
    case ("export", 2): try export(Domain(words[0]), to: words[1])
    case ("domains", 0): write(Domain.all.map(\.domain.name).joined(separator: ", "))
    case ("find", 1): find(words[0])
    case ("watch", 1...2): try watch(Domain(words[0]), words.dropFirst().first)
    case ("completion", 1): try write(Completion.script(for: words[0]))
    case ("complete", _): for word in Completion.candidates(after: words) { write(word) }
    case ("-currenthost", _), ("-host", _): _ = try Domain(command)
    case ("help", 0), ("--help", 0), ("-h", 0): write(usage)
    default: throw Failure.usage
    }
  }

  // MARK: Changing

  private static func set(_ key: String, _ value: Value, in domain: Domain) throws {
    try domain.change { store, contents in
      let new = try value.added(to: contents[key], of: key)
      try Domain.check([key: new])
      store.set(new, forKey: key)
    }
  }

  private static func rename(_ key: String, to newKey: String, in domain: Domain) throws {
    try domain.changeExisting { store, contents in
      guard let value = contents[key] else {
        throw Failure(
          "Key \(key) does not exist in domain \(domain.name); leaving defaults unchanged")
      }
      store.removeObject(forKey: key)
      store.set(value, forKey: newKey)
    }
  }

  private static func delete(_ key: String, in domain: Domain) throws {
    try domain.changeExisting { store, contents in
      if contents[key] == nil { throw Failure.missing(domain.name, key) }
      store.removeObject(forKey: key)
    }
  }

  // MARK: Files

  private static func contents(of path: String) throws -> [String: Any] {
    let data: Data
    do {
      data =
        path == "-"
        ? try FileHandle.standardInput.readToEnd() ?? Data()
        : try Data(contentsOf: URL(filePath: path))
    } catch {
      throw Failure("Could not read data from \(path)")
    }
    guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil) else {
      throw Failure("Could not parse property list from \(path)")
    }
    guard let contents = list as? [String: Any] else {
      throw Failure("Property list \(path) was not a dictionary\nDefaults have not been changed.")
    }
    return contents
  }

  private static func export(_ domain: Domain, to path: String) throws {
    let contents = try domain.existing
    let data = try PropertyListSerialization.data(
      fromPropertyList: contents, format: path == "-" ? .xml : .binary, options: 0)
    if path == "-" {
      write(data)
    } else {
      do {
        try data.write(to: URL(filePath: path), options: .atomic)
      } catch {
        throw Failure("Could not export domain \(domain.name) to \(path)")
      }
    }
  }

  // MARK: Finding

  private static func find(_ word: String) {
    var isFound = false
    for (domain, contents) in Domain.all {
      let isAll = domain.name.contains(word, ignoringCase: true)
      let found = contents.filter { isAll || contains(word, $0.key) || contains(word, $0.value) }
      if found.isEmpty { continue }
      write("Found \(found.count) keys in domain '\(domain.name)': \(text(of: found))")
      isFound = true
    }
    if !isFound { warn("No domain, key, nor value containing '\(word)'") }
  }

  private static func contains(_ word: String, _ value: Any) -> Bool {
    switch value {
    case let string as String: string.contains(word, ignoringCase: true)
    case let array as [Any]: array.contains { contains(word, $0) }
    case let dictionary as [String: Any]:
      dictionary.contains { contains(word, $0.key) || contains(word, $0.value) }
    default: false
    }
  }

  // MARK: Watching

  private static func watch(_ domain: Domain, _ chosen: String?) throws -> Never {
    domain.watch { key, value in
      if let chosen, key != chosen { return }
      write(value.map { line(of: key, $0) } ?? "\(quoted(key)) is deleted")
    }
    dispatchMain()
  }
}

extension String {
  fileprivate func contains(_ word: String, ignoringCase: Bool) -> Bool {
    range(of: word, options: .caseInsensitive) != nil
  }
}
