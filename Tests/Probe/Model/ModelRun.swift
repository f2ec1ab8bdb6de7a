import Foundation
import Observation
import Synchronization
import TypedDefaults

/// Makes the operations of a sequence on the model and on the library, and compares them after each.
final class ModelRun {
  struct Difference: Error, CustomStringConvertible {
    let description: String
  }
  private struct Thrown: Error {}

  let kind: StoreKind
  let store: UserDefaults
  private let prefix: String
  var model: Model
  private var settings: ModelSettings
  var members: [Member]
  private let typed: [TypedMember]
  let allKeys: [String]
  var foundation = FoundationState()
  private var exported: Data?
  private var turn = 0
  var watches: [Int: Watch] = [:]
  var tracks: [Int: Track] = [:]
  var iterations: [Int: Iteration] = [:]
  var watchOfAll: WatchOfAll?
  private var snapshot: (members: [Member], model: Model)?
  private let otherProcess: OtherProcess?

  struct WatchOfAll {
    let observation: SettingObservation
    let calls: Calls<[String]>
    var last: [Object?]
  }
  struct Watch {
    let observation: SettingObservation
    let calls: Calls<(Object?, Object?)>
    var last: Object?
  }
  struct Track {
    let isTold = Flag()
    let value: Object?
  }
  struct Iteration {
    let next: () -> Object?
    var last: Object?
    var isTold = false
  }

  init(_ kind: StoreKind, _ model: Model, prefix: String, seed: Int) {
    self.kind = kind
    self.model = model
    self.prefix = prefix
    store = kind.make(seed: seed)
    settings = ModelSettings(in: store, prefix: prefix)
    members = settings.members
    typed = ModelSettings.typedMembers(prefix, in: store)
    otherProcess = kind.isFile ? OtherProcess(store, seed: seed) : nil
    allKeys = ModelSettings.keys.flatMap { [prefix + $0, prefix + $0 + ".undecodable"] }
  }

  /// Makes one operation.
  ///
  /// - Parameter isWhole: Whether everything is compared after it, and not only what it may have changed,
  ///   and another setting in its turn. To compare everything takes ten times as long.
  func run(_ operation: Operation, comparingAll isWhole: Bool) throws {
    let before = model.stored
    _ = model.takeTouched()
    if operation.endsShortage { lack(nil) }
    try make(operation)
    let touched = model.takeTouched()
    note(operation, touched, before)
    try compareListeners(after: operation, touched, before)
    try compare(isWhole ? nil : touched.union(operation.keys))
  }

  /// Saves, and checks what the file holds.
  func flush() throws {
    lack(nil)
    try store.flush()
    try compareFile()
  }

  // MARK: Making

  private func make(_ operation: Operation) throws {
    var succeeds = true
    switch operation {
    case .assign(let index, let value): members[index].assign(value)
    case .reset(let index): members[index].setting.reset()
    case .text(let index, let text):
      succeeds = (try? members[index].setting.set(text: text)) != nil
    case .withLock(let index, let value, let throwing):
      try? members[index].withLock { _ in
        if throwing { throw Thrown() }
        return value
      }
    case .typed(let index, let value): typed[index].assign(value)
    case .raw(let key, let object):
      guard raw(key, object) else { return }
    case .register(let key, let object): store.register(defaults: [key: object.any])
    case .argument(let key, let object):
      var arguments = model.arguments
      arguments[key] = object
      if kind == .foundation {  // It would keep the other arguments.
        store.removeVolatileDomain(forName: UserDefaults.argumentDomain)
      }
      store.setVolatileDomain(arguments.mapValues(\.any), forName: UserDefaults.argumentDomain)
    case .transaction(let operations, let throwing):
      return try transaction(operation, operations, throwing: throwing)
    case .exclusively(let operations, let throwing):
      return try transaction(operation, operations, throwing: throwing, exclusively: true)
    case .saveElsewhere(let objects): try otherProcess?.save(objects)
    case .resetAll: settings.resetAll()
    case .export: exported = try settings.exportData()
    case .importExported:
      // Nil after a restart.
      succeeds = imports(try exported ?? Self.data(withOrigin(model.lastExport)))
    case .importObjects(let objects): succeeds = imports(try Self.data(objects))
    case .declare:
      settings = ModelSettings(in: store, prefix: prefix)
      members = settings.members
      // Observation, which they ask, retains nobody.
      tracks = [:]
    case .watch(let index):
      let calls = Calls<(Object?, Object?)>()
      let observation = members[index].onChange { calls.append(($0, $1)) }
      watches[index] = Watch(
        observation: observation, calls: calls, last: model.value(model.settings[index]))
    case .watchAll:
      let calls = Calls<[String]>()
      watchOfAll = WatchOfAll(
        observation: settings.onChange { calls.append($0.map(\.key)) }, calls: calls,
        last: model.settings.map(model.value))
    case .snapshot:
      let snapshot = settings.snapshot()
      self.snapshot = (snapshot.members, model)
      try compareSnapshot(withSources: true)
    case .unwatch(let index): watches.removeValue(forKey: index)?.observation.cancel()
    case .track(let index):
      let track = Track(value: model.value(model.settings[index]))
      withObservationTracking {
        _ = members[index].read()
      } onChange: {
        track.isTold.set()
      }
      tracks[index] = track
    case .next(let index): try compareNext(of: index)
    case .flush:
      succeeds = (try? store.flush()) != nil
      if foundation.shortage != nil { return }
    case .restart: break  // `ModelCommand` does it.
    case .lack(let shortage): lack(shortage)
    case .post:
      settle()
      NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: store)
    case .otherDomain:
      if foundation.hasHiddenSets { return }
      settle()
      UserDefaults(suiteName: "other")!.setPersistentDomain(["x": 1], forName: "other")
    }
    try expect(succeeds, model.make(operation), "whether it succeeds")
  }

  private func transaction(
    _ operation: Operation, _ operations: [Operation], throwing: Bool, exclusively: Bool = false
  ) throws {
    if exclusively, !model.mayBeExclusive {
      let isRun = (try? store.exclusively {}) != nil
      return try expect(isRun, false, "whether exclusively runs inside a transaction")
    }
    if operation.savesElsewhereInside { try store.flush() }
    model.begin(exclusively: exclusively)
    let before = model
    func body() throws {
      for operation in operations {
        if case .saveElsewhere(let objects) = operation {
          // It may be taken in at once, or later.
          try otherProcess?.replaceFile(with: objects)
          model.make(operation)
        } else {
          try make(operation)
          try compare(operation.keys)
        }
      }
      if throwing { throw Thrown() }
    }
    do {
      if exclusively { try store.exclusively(body) } else { try store.transaction(body) }
    } catch is Thrown {}
    model.end(before, throwing)
    if operation.savesElsewhereInside { try otherProcess?.waitUntilTaken() }
  }

  private static func data(_ objects: [String: Object]) throws -> Data {
    try PropertyListSerialization.data(
      fromPropertyList: objects.mapValues(\.any), format: .xml, options: 0)
  }

  private func imports(_ data: Data) -> Bool { (try? settings.importData(data)) != nil }

  // MARK: Comparing

  func expect<T: Equatable>(_ found: T, _ expected: T, _ what: @autoclosure () -> String)
    throws
  {
    if found != expected {
      throw Difference(description: "\(what()) is \(found), and should be \(expected)")
    }
  }

  /// - Parameter keys: The keys whose settings are compared; nil for all.
  func compare(_ keys: Set<String>?) throws {
    turn += 1
    func isCompared(_ names: [String]) -> Bool { keys.map { !$0.isDisjoint(with: names) } ?? true }
    for (index, (setting, member)) in zip(model.settings, members).enumerated()
    where turn % members.count == index || isCompared(setting.names) {
      let (value, source) = model.resolve(setting)
      try expect(member.read(), value, "\(setting.key)")
      try expect(member.setting.source, Self.source(source), "the source of \(setting.key)")
      try expect(
        member.setting.isStored, model.isStored(setting), "whether \(setting.key) is stored")
      if keys == nil || turn % members.count == index {
        try expect(member.setting.text, value.map(setting.type.text), "the text of \(setting.key)")
      }
    }
    for (setting, member) in zip(model.typedKeys, typed) where isCompared(setting.names) {
      let value = member.read()
      // Whether a registered default lies beneath an object that cannot be decoded is not promised.
      if value == nil, model.source(setting) == "registered", model.isStored(setting) { continue }
      if kind.hides(setting, in: model) { continue }
      try expect(value, model.value(setting), "the typed key \(setting.key)")
    }
    for key in allKeys where isCompared([key]) {
      // What a raw change has put there since the last read is not kept.
      if !kind.hearsRawChanges, key.hasSuffix(".undecodable") { continue }
      if foundation.behind.contains(key) { continue }
      try expect(Object(store.object(forKey: key)), model.visible(key), "the object of \(key)")
    }
    if keys == nil {
      try compareExport()
      try compareSnapshot(withSources: false)
    }
  }

  /// What changes later is not in it.
  private func compareSnapshot(withSources: Bool) throws {
    guard let (members, model) = snapshot else { return }
    for (setting, member) in zip(model.settings, members) {
      let (value, source) = model.resolve(setting)
      try expect(member.read(), value, "\(setting.key) of the snapshot")
      guard withSources else { continue }
      try expect(
        member.setting.source, Self.source(source), "the source of \(setting.key) of the snapshot")
      try expect(
        member.setting.isStored, model.isStored(setting),
        "whether \(setting.key) of the snapshot is stored")
    }
  }

  private func compareExport() throws {
    let data = try settings.exportData()
    let object = try PropertyListSerialization.propertyList(from: data, format: nil)
    try expect(Object(object), .dictionary(withOrigin(model.exported)), "the export")
  }

  private func withOrigin(_ export: Model.Export) -> [String: Object] {
    var origin: [String: Object] = ["prefix": .text(prefix)]
    let unreadable = export.unreadable.sorted().map(Object.text)
    if !unreadable.isEmpty { origin["unreadable"] = .list(unreadable) }
    return export.objects.merging(["TypedDefaults": .dictionary(origin)]) { $1 }
  }

  private static func source(_ name: String) -> SettingSource {
    switch name {
    case "managed": .managed
    case "argument": .launchArgument
    case "environment": .environment
    case "stored": .stored
    case "system": .system
    default: .defaultValue
    }
  }
}

/// What `onChange` has been told.
final class Calls<Call: Sendable>: Sendable {
  private let calls = Mutex<[Call]>([])
  func append(_ call: Call) { calls.withLock { $0.append(call) } }
  func take() -> [Call] {
    calls.withLock { calls in
      defer { calls = [] }
      return calls
    }
  }
}

final class Flag: Sendable {
  private let flag = Atomic(false)
  func set() { flag.store(true, ordering: .sequentiallyConsistent) }
  var value: Bool { flag.load(ordering: .sequentiallyConsistent) }
}
