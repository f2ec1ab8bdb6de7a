import Foundation

/// What the library promises, in the plainest way: dictionaries and loops, without a cache, a lock or a
/// thread. Random operations are made on it and on the library, and then everything is compared.
///
/// Where two promises meet, these decisions are tested:
/// - A stored object under the own key hides the former ones, even if it cannot be decoded. Of the former
///   keys, the first that can be decoded is read.
/// - An assignment keeps what the own key, or else the first former key that has an object, holds, if that
///   cannot be decoded: under the own key's name.
/// - Nil, a reset and an import without the setting also remove that copy.
/// - An export holds the object that is read, or else the first, as it is. An import of that changes nothing.
/// - What is converted is exported in today's form, and what cannot be converted as it is. What an export
///   could not read is left out of an import that cannot read it either.
/// - A secret is in no export and no copy, and an import leaves it as it is.
/// - What another process saves during a transaction is hidden by its changes, and shows if it is undone.
///
/// What a store cannot know is left out: see `StoreKind`, and the comments in `ModelRun`.
struct Model {
  /// What an administrator's files give to keys. They stay as they are.
  struct Administrator {
    var managed: [String: Object] = [:]
    var system: [String: Object] = [:]
  }

  enum Layer: CaseIterable {
    case managed, argument, environment, stored, system, registered
  }

  let kind: StoreKind
  let settings, typedKeys: [Setting]
  private(set) var arguments: [String: Object] = [:]
  private(set) var stored: [String: Object] = [:]
  private(set) var registered: [String: Object] = [:]
  /// What the next start of the program finds.
  private(set) var file: [String: Object] = [:]
  private(set) var lastExport = Export()
  let environment: [String: String]
  let administrator: Administrator
  /// What other processes have saved and this one has not taken in.
  private var others: [String: Object?] = [:]
  /// The keys that a transaction has changed.
  private var held: Set<String> = []
  /// What raw calls of Foundation's have set, which is saved once the notification is posted.
  private var rawSets: Set<String> = []
  /// The number of bodies of transactions, of `exclusively` and of `withLock` that it is in.
  private var depth = 0
  private var isExclusive = false
  /// The keys whose changes since they were asked for last are announced.
  private(set) var touched: Set<String> = []

  init(
    _ kind: StoreKind, _ settings: [Setting], _ typedKeys: [Setting],
    environment: [String: String], _ administrator: Administrator
  ) {
    self.kind = kind
    self.administrator = administrator
    let keys = Set(settings.map(\.key))
    func named(_ setting: Setting) -> Setting {
      var setting = setting
      setting.names = [setting.key] + setting.formerKeys.filter { !keys.contains($0) }
      return setting
    }
    self.settings = settings.map(named)
    self.typedKeys = typedKeys.map(named)
    self.environment = environment
    declare()
  }

  // MARK: Reading

  private func found(_ setting: Setting, in objects: [String: Object]) -> [Found] {
    let names = objects[setting.key] == nil ? setting.names : [setting.key]
    return names.compactMap { name in objects[name].map { (name, $0) } }
  }

  private func values(_ setting: Setting, at layer: Layer) -> [Object] {
    switch layer {
    case .managed:
      return found(setting, in: administrator.managed).compactMap { setting.decoded($0) }
    case .argument: return found(setting, in: arguments).compactMap { setting.decoded($0) }
    case .environment:
      let text = setting.variable.flatMap { kind.seesVariables ? environment[$0] : nil }
      return text.flatMap(setting.type.decoded(text:)).map { [$0] } ?? []
    case .stored:
      return found(setting, in: stored).compactMap { setting.decoded($0, isStored: true) }
    case .system: return found(setting, in: administrator.system).compactMap { setting.decoded($0) }
    case .registered:
      return setting.isTypedKey
        ? registered[setting.key].flatMap(setting.type.decoded).map { [$0] } ?? [] : []
    }
  }

  func resolve(_ setting: Setting) -> (value: Object?, source: String) {
    for layer in Layer.allCases {
      if let value = values(setting, at: layer).first { return (value, "\(layer)") }
    }
    return (setting.default, "default")
  }

  func value(_ setting: Setting) -> Object? { resolve(setting).value }
  func source(_ setting: Setting) -> String { resolve(setting).source }
  func isStored(_ setting: Setting) -> Bool { !found(setting, in: stored).isEmpty }

  /// The object that the raw accessor returns.
  func visible(_ key: String) -> Object? {
    // Foundation's own accessors know no administrator.
    let (managed, system) =
      kind == .saved ? (administrator.managed, administrator.system) : ([:], [:])
    return managed[key] ?? arguments[key] ?? stored[key] ?? system[key] ?? registered[key]
  }

  /// What an export holds.
  var exported: Export {
    var export = Export()
    for setting in settings where !setting.isSecret {
      guard let (name, object, isReadable) = exported(setting) else { continue }
      export.objects[name] = object
      if !isReadable { export.unreadable.insert(name) }
    }
    return export
  }

  private func exported(_ setting: Setting) -> (name: String, object: Object, isReadable: Bool)? {
    let all = found(setting, in: stored)
    guard let found = all.first(where: { setting.decoded($0, isStored: true) != nil }) else {
      return all.first.map {
        (setting.conversions[$0.name] == nil ? setting.key : $0.name, $0.object, false)
      }
    }
    let isConverted = setting.conversions[found.name] != nil
    return (setting.key, isConverted ? setting.decoded(found)! : found.object, true)
  }

  // MARK: Changing

  private mutating func declare() {
    for setting in settings { registered[setting.key] = setting.default ?? registered[setting.key] }
  }

  /// Assigns a value; nil removes the stored one.
  private mutating func assign(_ setting: Setting, _ value: Object?) {
    if let value, setting.type.decoded(value) == nil { return }
    let first = found(setting, in: stored).first
    let copy = "\(setting.key).undecodable"
    if value == nil {
      if stored[copy] != nil { put(nil, copy) }
    } else if let first, setting.decoded(first, isStored: true) == nil, !isSecret(setting.key) {
      put(first.object, copy)
    }
    put(value, setting.key)
    for former in setting.names.dropFirst() where stored[former] != nil { put(nil, former) }
  }

  /// Whether any setting of the key is a secret, as those of typed keys are then, too.
  private func isSecret(_ key: String) -> Bool {
    settings.contains { $0.key == key && $0.isSecret }
  }

  private mutating func withLock(_ setting: Setting, _ change: (Object?) -> Object?) {
    let old = (values(setting, at: .stored) + values(setting, at: .system)).first ?? setting.default
    let new = change(old)
    if new != old { assign(setting, new) }
  }

  /// - Returns: Whether the data can be imported. If not, nothing is changed.
  private mutating func importObjects(
    _ data: [String: Object], unreadable: Set<String> = [], namesPrefix: Bool = false
  ) -> Bool {
    let settings = settings.filter { !$0.isSecret }
    let isOurs = settings.contains { !found($0, in: data).isEmpty }
    guard isOurs || data.isEmpty && namesPrefix else { return false }
    var changes: [(Setting, Object?)] = []
    for setting in settings {
      let objects = found(setting, in: data)
      if let first = objects.first, let present = exported(setting), first.object == present.object
      {
        let isConverted = setting.conversions[first.name] != nil
        if present.name == (isConverted ? first.name : setting.key) { continue }
      }
      let value = objects.compactMap { setting.decoded($0, isStored: true) }.first
      if value == nil, let first = objects.first {
        if unreadable.contains(first.name) { continue }
        return false
      }
      changes.append((setting, value))
    }
    for (setting, value) in changes { assign(setting, value) }
    return true
  }

  /// Undoes the changes of a transaction, in which other processes may have saved.
  private mutating func undo(to earlier: Model) {
    (stored, file, held, rawSets) = (earlier.stored, earlier.file, earlier.held, earlier.rawSets)
  }

  /// Takes in what other processes have saved during a transaction.
  private mutating func takeInOthers(except keys: Set<String>) {
    for (key, object) in others where !keys.contains(key) && file[key] != object {
      touched.insert(key)
      setStored(object, key)
      file[key] = object
      rawSets.remove(key)
    }
    others = [:]
  }

  private mutating func put(_ object: Object?, _ key: String) {
    touched.insert(key)
    if depth > 0 { held.insert(key) }
    setStored(object, key)
    file[key] = object
    rawSets.remove(key)
  }

  private mutating func setStored(_ object: Object?, _ key: String) {
    // A plain subclass does not tell what it stores from what is registered.
    stored[key] = kind == .subclass && object == registered[key] ? nil : object
  }

  mutating func takeTouched() -> Set<String> {
    defer { touched = [] }
    return touched
  }

  /// Makes an operation.
  ///
  /// - Returns: Whether it succeeds.
  @discardableResult
  mutating func make(_ operation: Operation) -> Bool {
    switch operation {
    case .assign(let index, let value): assign(settings[index], value)
    case .reset(let index): assign(settings[index], nil)
    case .text(let index, let text):
      guard let value = settings[index].type.decoded(text: text) else { return false }
      assign(settings[index], value)
    case .withLock(let index, let value, let throwing):
      if !throwing { withLock(settings[index]) { _ in value } }
    case .typed(let index, let value): assign(typedKeys[index], value)
    case .raw(let key, let object):
      // Foundation's neither tells anybody nor saves.
      guard !kind.hearsRawChanges else {
        put(object, key)
        break
      }
      setStored(object, key)
      if kind == .foundation, object != nil { rawSets.insert(key) } else { rawSets.remove(key) }
    case .register(let key, let object): registered[key] = object
    case .argument(let key, let object): arguments[key] = object
    case .transaction(let operations, let throwing): run(operations, throwing)
    case .exclusively(let operations, let throwing):
      guard mayBeExclusive else { return false }
      run(operations, throwing, exclusively: true)
    case .saveElsewhere(let objects):
      others = objects
      if depth == 0 { takeInOthers(except: []) }
    case .resetAll: for setting in settings { assign(setting, nil) }
    case .export: lastExport = exported
    case .importExported:
      return importObjects(
        lastExport.objects, unreadable: lastExport.unreadable, namesPrefix: true)
    case .importObjects(let objects): return importObjects(objects)
    case .declare: declare()
    case .restart:
      stored = file
      (arguments, registered, touched) = ([:], [:], [])
      declare()
    case .flush: return depth == 0
    case .post, .otherDomain:
      for key in rawSets { file[key] = stored[key] }
      rawSets = []
    case .watch, .unwatch, .watchAll, .track, .next, .snapshot, .lack: break
    }
    return true
  }

  /// Whether a body of `exclusively` may begin.
  var mayBeExclusive: Bool { depth == 0 || isExclusive }

  private mutating func run(
    _ operations: [Operation], _ throwing: Bool, exclusively: Bool = false
  ) {
    begin(exclusively: exclusively)
    let before = self
    for operation in operations { make(operation) }
    end(before, throwing)
  }

  /// Begins a transaction.
  mutating func begin(exclusively: Bool) {
    depth += 1
    if exclusively { isExclusive = true }
  }

  /// Ends a transaction.
  ///
  /// - Parameter before: The model as it was when it began.
  mutating func end(_ before: Model, _ throwing: Bool) {
    depth -= 1
    if throwing { undo(to: before) }
    guard depth == 0 else { return }
    isExclusive = false
    takeInOthers(except: held)
    held = []
  }
}
