import Foundation
import TypedDefaults

// `version old|new set|show`: two versions of one program, with the changes that an article tells of.

private enum Tag: String, UserDefaultsSerializable { case red, blue }
private enum OldTheme: String, UserDefaultsSerializable { case light, dark }
private struct OldWindow: Codable, UserDefaultsSerializable {
  struct Frame: Codable { var width = 1 }
  var title = "old default"
  var frame = Frame()
  var removed = "old default"
}
private struct OldUser: Codable, UserDefaultsSerializable { var name = "old default" }

private struct OldSettings {
  @WrappedDefault("changedDefault") var changedDefault = "old default"
  @WrappedDefault("assigned") var assigned = "old default"
  @WrappedDefault("removed") var removed = "old default"
  @WrappedDefault("oldName") var renamed = "old default"
  @WrappedDefault("gainedCase") var gainedCase = OldTheme.light
  @WrappedDefault("renamedCase") var renamedCase = OldTheme.light
  @WrappedDefault("removedCase") var removedCase = [Tag]()
  @WrappedDefault("mappedCase") var mappedCase = Tag.red
  @WrappedDefault("window") var window = OldWindow()
  @WrappedDefault("windows") var windows = [OldWindow]()
  @WrappedDefault("user") var user = OldUser()
  @WrappedDefault("widened") var widened = UInt8(1)
  @WrappedDefault("toText") var toText = 1
  @WrappedDefault("toEnum") var toEnum = "light"
  @WrappedDefault("toOptional") var toOptional = 1
  @WrappedDefaultOptional("toDefault") var toDefault: Int?
  @WrappedDefault("toSet") var toSet = [1]
  @WrappedDefault("toOther") var toOther = 1

  func set() {
    assigned = "old"
    removed = "old"
    renamed = "old"
    gainedCase = .dark
    renamedCase = .dark
    removedCase = [.red, .blue]
    mappedCase = .blue
    window = OldWindow(title: "old", frame: .init(width: 5), removed: "old")
    windows = [window]
    user.name = "old"
    widened = 5
    toText = 5
    toEnum = "dark"
    toOptional = 5
    toDefault = 5
    toSet = [5, 5, 6]
    toOther = 5
  }

  var lines: [String] {
    [
      "changedDefault \(changedDefault)", "assigned \(assigned)", "removed \(removed)",
      "renamed \(renamed)", "gainedCase \(gainedCase)", "renamedCase \(renamedCase)",
      "removedCase \(removedCase.map(\.rawValue))", "mappedCase \(mappedCase)",
      "window \(window.title) \(window.frame.width) \(window.removed)",
      "windows \(windows.map { "\($0.title) \($0.frame.width) \($0.removed)" })",
      "user \(user.name)", "widened \(widened)", "toText \(toText)", "toEnum \(toEnum)",
      "toOptional \(toOptional)", "toDefault \(toDefault.map(String.init) ?? "nil")",
      "toSet \(toSet)", "toOther \(toOther)",
    ]
  }
}

private enum NewTheme: String, UserDefaultsSerializable { case light, dark, sepia }
private enum RenamedTheme: String, UserDefaultsSerializable {
  case light
  case night = "dark"
}
private enum NewTag: String, UserDefaultsSerializable { case red }
private enum MappedTag: String, UserDefaultsSerializable {
  case red, azure

  init?(storedValue: String) { self.init(rawValue: storedValue == "blue" ? "azure" : storedValue) }
}
private struct NewWindow: Codable, UserDefaultsSerializable {
  struct Frame: Codable {
    var width = 2
    var height = 2
  }
  var title = "new default"
  var frame = Frame()
  var added = "new default"
  var optional: Int? = 2
}
private struct NewUser: Codable, UserDefaultsSerializable {
  enum CodingKeys: String, CodingKey { case fullName = "name" }
  var fullName = "new default"
}

private struct NewSettings {
  @WrappedDefault("added") var added = "new default"
  @WrappedDefault("changedDefault") var changedDefault = "new default"
  @WrappedDefault("assigned") var assigned = "new default"
  @WrappedDefault("newName", formerly: "oldName") var renamed = "new default"
  @WrappedDefault("gainedCase") var gainedCase = NewTheme.light
  @WrappedDefault("renamedCase") var renamedCase = RenamedTheme.light
  @WrappedDefault("removedCase") var removedCase = [NewTag]()
  @WrappedDefault("mappedCase") var mappedCase = MappedTag.red
  @WrappedDefault("window") var window = NewWindow()
  @WrappedDefault("windows") var windows = [NewWindow]()
  @WrappedDefault("user") var user = NewUser()
  @WrappedDefault("widened") var widened = 1.5
  @WrappedDefault("toText") var toText = "new default"
  @WrappedDefault("toEnum") var toEnum = NewTheme.light
  @WrappedDefaultOptional("toOptional") var toOptional: Int?
  @WrappedDefault("toDefault") var toDefault = 2
  @WrappedDefault("toSet") var toSet: Set = [2]
  @WrappedDefault("toOther") var toOther = [2]

  /// Prints each value of the setting that was renamed, until the input ends.
  func follow() {
    let updates = $renamed.updates
    Task {
      for await value in updates { FileHandle.standardOutput.write(Data("\(value)\n".utf8)) }
    }
    while readLine() != nil {}
  }

  func set() {
    added = "new"
    assigned = "new"
    renamed = "new"
    gainedCase = .sepia
    renamedCase = .night
    removedCase.append(.red)
    mappedCase = .azure
    window.title = "new"
    windows = [window]
    user.fullName = "new"
    widened = 300
    toText = "new"
    toEnum = .sepia
    toOptional = nil
    toDefault = 7
    toSet = [7]
    toOther = [7]
  }

  var lines: [String] {
    [
      "added \(added)", "changedDefault \(changedDefault)", "assigned \(assigned)",
      "renamed \(renamed)", "gainedCase \(gainedCase)", "renamedCase \(renamedCase)",
      "removedCase \(removedCase.map(\.rawValue))", "mappedCase \(mappedCase)",
      """
      window \(window.title) \(window.frame.width) \(window.frame.height) \(window.added) \
      \(window.optional.map(String.init) ?? "nil")
      """,
      "windows \(windows.map(\.title))", "user \(user.fullName)", "widened \(widened)",
      "toText \(toText)", "toEnum \(toEnum)",
      "toOptional \(toOptional.map(String.init) ?? "nil")", "toDefault \(toDefault)",
      "toSet \(toSet.sorted())", "toOther \(toOther)",
    ]
  }
}

func versionCommand(_ arguments: [String]) {
  DefaultsIssue.setHandler { issue in
    if let key = issue.key { print("cannot read \(key)") } else { print(issue) }
  }
  switch arguments {
  case ["old", "set"]: OldSettings().set()
  case ["old", "show"]: print(OldSettings().lines.joined(separator: "\n"))
  case ["new", "set"]: NewSettings().set()
  case ["new", "show"]: print(NewSettings().lines.joined(separator: "\n"))
  case ["new", "follow"]: NewSettings().follow()
  default: fatalError("no such version: \(arguments)")
  }
}
