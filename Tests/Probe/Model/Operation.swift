/// One step of a sequence. Numbers are places in the lists of settings and of typed keys.
indirect enum Operation: CustomStringConvertible {
  case assign(Int, Object?)
  case reset(Int)
  case text(Int, String)
  case withLock(Int, Object?, throwing: Bool)
  case typed(Int, Object?)
  case raw(String, Object?)
  case register(String, Object)
  case argument(String, Object?)
  case transaction([Operation], throwing: Bool)
  case exclusively([Operation], throwing: Bool)
  /// Another process saves objects.
  case saveElsewhere([String: Object?])
  case resetAll
  case export
  case importExported
  case importObjects([String: Object])
  case declare
  case watch(Int)
  case unwatch(Int)
  case watchAll
  case snapshot
  case track(Int)
  case next(Int)
  case flush
  case restart
  /// The process cannot open its files, until the next of these; nil ends it.
  case lack(Shortage?)
  /// Somebody posts the notification that defaults have changed.
  case post
  /// Another suite of Foundation's gets a whole domain, for which Foundation writes all that it has.
  case otherDomain

  var description: String {
    func text(_ object: Object?) -> String { object.map { "\($0)" } ?? "nil" }
    func name(_ setting: Int) -> String { ModelSettings.declared("")[setting].key }
    return switch self {
    case .assign(let setting, let value): "\(name(setting)) = \(text(value))"
    case .reset(let setting): "reset \(name(setting))"
    case .text(let setting, let text): "set \(name(setting)) to the text \"\(text)\""
    case .withLock(let setting, let value, let throwing):
      "withLock of \(name(setting)): \(text(value))\(throwing ? ", throws" : "")"
    case .typed(let key, let value):
      "typed key \(ModelSettings.typedKeys("")[key].key) = \(text(value))"
    case .raw(let key, let object): "raw \(key) = \(text(object))"
    case .register(let key, let object): "register \(key) = \(object)"
    case .argument(let key, let object): "argument \(key) = \(text(object))"
    case .transaction(let operations, let throwing):
      "transaction { \(operations.map(\.description).joined(separator: "; "))"
        + "\(throwing ? "; throws" : "") }"
    case .exclusively(let operations, let throwing):
      "exclusively { \(operations.map(\.description).joined(separator: "; "))"
        + "\(throwing ? "; throws" : "") }"
    case .saveElsewhere(let objects):
      "another process saves \(objects.mapValues { text($0) })"
    case .watchAll: "watch all"
    case .snapshot: "snapshot"
    case .importObjects(let objects): "import \(objects)"
    case .watch(let setting): "watch \(name(setting))"
    case .unwatch(let setting): "unwatch \(name(setting))"
    case .track(let setting): "track \(name(setting))"
    case .next(let setting): "next of \(name(setting))"
    case .resetAll: "reset all"
    case .export: "export"
    case .importExported: "import what was exported"
    case .declare: "declare again"
    case .flush: "flush"
    case .restart: "restart"
    case .lack(let shortage): shortage.map { "\($0), until" } ?? "none of it is short any more"
    case .post: "post the notification"
    case .otherDomain: "another suite gets a domain"
    }
  }
}

extension Operation {
  /// The keys that it names.
  var keys: Set<String> {
    switch self {
    case .raw(let key, _), .register(let key, _), .argument(let key, _): [key]
    case .saveElsewhere(let objects): Set(objects.keys)
    case .transaction(let operations, _), .exclusively(let operations, _):
      operations.reduce(into: []) { $0.formUnion($1.keys) }
    default: []
    }
  }

  /// Whether another process saves during the body of a transaction.
  var savesElsewhereInside: Bool {
    switch self {
    case .transaction(let operations, _), .exclusively(let operations, _):
      if case .saveElsewhere? = operations.last { true } else { false }
    default: false
    }
  }

  /// Whether it needs the files, or another process does.
  var endsShortage: Bool {
    switch self {
    case .saveElsewhere, .exclusively, .restart: true
    case .transaction(let operations, _): operations.contains(where: \.endsShortage)
    default: false
    }
  }

  /// Whether it may undo what it changes.
  var mayUndo: Bool {
    switch self {
    case .transaction(let operations, let throwing), .exclusively(let operations, let throwing):
      throwing || operations.contains(where: \.mayUndo)
    default: false
    }
  }

  /// Whether it may change what other layers hold, or several things.
  var isOfOtherLayers: Bool {
    switch self {
    case .register, .argument, .transaction, .exclusively, .declare: true
    default: false
    }
  }
}

/// The sequence of a seed.
struct RandomSequence {
  let prefix: String
  let environment: [String: String]
  let administrator: Model.Administrator
  let operations: [Operation]

  init(seed: Int, count: Int, on kind: StoreKind) {
    var generator = SeededGenerator(state: UInt64(seed) &* 0xD134_2543_DE82_EF95)
    prefix = Bool.random(using: &generator) ? "" : "group."
    var environment: [String: String] = [:]
    for variable in ModelSettings.variables {
      environment[variable] = ["7", "dark", "loud", nil, nil, nil].randomElement(using: &generator)!
    }
    self.environment = environment
    var maker = OperationMaker(
      generator: generator, kind: kind, prefix: prefix,
      // A raw change of Foundation's class is saved some time, or never.
      restarts: kind.isFile && (kind.hearsRawChanges || !seed.isMultiple(of: 3)),
      lacks: kind.mayLack)
    administrator = maker.makeAdministrator()
    operations = (0..<count).map { _ in maker.make() }
  }
}

private struct OperationMaker {
  var generator: SeededGenerator
  let kind: StoreKind
  let prefix: String
  let restarts, lacks: Bool

  private var objects: [Object] {
    // Foundation's class does not replace an object by an equal number of another type.
    kind.hearsRawChanges
      ? Self.objects : Self.objects.filter { ![.double(2), .bool(true)].contains($0) }
  }

  private static let objects: [Object] = [
    .int(0), .int(1), .int(4), .int(7), .int(-1), .double(1.5), .double(2), .bool(true), .text("8"),
    .text("loud"), .text("dark"), .text("light"), .text("yes"), .text(#"{"x":5}"#),
    .text(#"{"x":5,"y":6}"#), .text(#"{"x":"a"}"#), .text("[1,2]"), .list([.int(1), .int(2)]),
    .list([.text("1"), .text("x")]), .dictionary(["x": .int(3), "y": .int(4)]),
    .dictionary(["x": .int(3)]), .double(.nan), .double(-.infinity), .double(1e300),
    .text("&\u{301}"), .text("nan"),
  ]

  /// Of every second sequence, where a store has an administrator.
  mutating func makeAdministrator() -> Model.Administrator {
    guard kind.isFile, below(2) == 0 else { return .init() }
    func some(_ most: Int) -> [String: Object] {
      Dictionary((0..<below(most)).map { _ in (key(), pick(objects)) }) { $1 }
    }
    return .init(managed: some(3), system: some(8))
  }

  mutating func make() -> Operation {
    while true {
      let operation = random()
      if !kind.leavesOut(operation) { return operation }
    }
  }

  private mutating func pick<C: Collection>(_ elements: C) -> C.Element {
    elements.randomElement(using: &generator)!
  }
  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
  private mutating func key() -> String { prefix + pick(ModelSettings.keys) }

  /// A value of a type, often one of few, so that it is often the one that is stored.
  private mutating func value(_ type: ValueType) -> Object {
    switch type {
    case .int: .int(pick([4, 4, 1, 0, 7, -3]))
    case .level: .int(pick([3, 3, 0, 5, 6]))
    case .text: .text(pick(["Zoë", "dark", "7", "&\u{301}"]))
    case .flag: .bool(pick([true, false]))
    case .theme: .text(pick(["system", "light", "dark"]))
    case .even: .int(pick([2, 4, 8, 3]))
    case .list: .list(pick([[], [.int(0)], [.int(1), .int(2)]]))
    case .ratio: .double(pick([0.5, 0.5, 1.5, .infinity, 1e300, .nan]))
    case .point: .text(pick([#"{"x":1,"y":2}"#, #"{"x":5,"y":6}"#]))
    }
  }

  private mutating func text(_ type: ValueType) -> String {
    switch type {
    case .int, .level: pick(["7", "-1", "4", "x", "1.5"])
    case .text: pick(["Zoë", "loud", "[1,2]"])
    case .flag: pick(["yes", "false", "maybe"])
    case .ratio: pick(["0.5", "inf", "nan", "1e400", "x"])
    case .theme: pick(["light", "loud"])
    case .even: pick(["6", "7"])
    case .list: pick(["[3,4]", "(3, 4)", "x"])
    case .point: pick([#"{"x":5,"y":6}"#, #"{"x":"a"}"#])
    }
  }

  private mutating func change() -> Operation {
    let settings = ModelSettings.declared(prefix)
    let setting = below(settings.count)
    let (type, hasDefault) = (settings[setting].type, settings[setting].default != nil)
    switch below(10) {
    case 0...3:
      return !hasDefault && below(4) == 0
        ? .assign(setting, nil) : .assign(setting, value(type))
    case 4: return .reset(setting)
    case 5: return .text(setting, text(type))
    case 6:
      return .withLock(
        setting, !hasDefault && below(4) == 0 ? nil : value(type), throwing: below(4) == 0)
    default:
      let key = below(ModelSettings.typedKeys(prefix).count)
      let type = ModelSettings.typedKeys(prefix)[key].type
      return .typed(key, below(4) == 0 ? nil : value(type))
    }
  }

  private mutating func random() -> Operation {
    if kind.mayLack, below(10) == 0 {
      switch below(5) {
      case 0...1 where lacks: return .lack(pick(kind.shortages))
      case 2...3 where lacks: return .lack(nil)
      default: return below(2) == 0 ? .post : .otherDomain
      }
    }
    switch below(100) {
    case 0..<40: return change()
    case 40..<60:
      return kind.hearsRawChanges || !restarts
        ? .raw(key(), below(3) == 0 ? nil : pick(objects)) : change()
    case 60..<63: return .register(key(), pick(objects))
    case 63..<68: return .argument(key(), below(2) == 0 ? nil : pick(objects))
    case 68..<72: return .transaction(body(), throwing: below(3) == 0)
    case 72..<74: return .exclusively(body(mayBeOthers: false), throwing: below(3) == 0)
    case 74..<76: return kind.isFile ? elsewhere() : .snapshot
    case 76..<77: return .resetAll
    case 77..<79: return .export
    case 79..<81: return .importExported
    case 81..<84:
      return .importObjects(
        Dictionary((0..<below(4)).map { _ in (key(), pick(objects)) }) { $1 })
    case 84..<85: return .declare
    case 85: return .snapshot
    case 86: return .watchAll
    case 87..<89: return .watch(below(ModelSettings.declared("").count))
    case 89..<90: return .unwatch(below(ModelSettings.declared("").count))
    case 90..<95: return .track(below(ModelSettings.declared("").count))
    case 95..<98: return .next(below(ModelSettings.declared("").count))
    case 98: return restarts ? .restart : change()
    default: return .flush
    }
  }

  /// Another process may replace the file at the end of the body.
  private mutating func body(mayBeOthers: Bool = true) -> [Operation] {
    let operations = (0...below(4)).map { _ in inner() }
    return operations + (mayBeOthers && kind.isFile && below(3) == 0 ? [elsewhere()] : [])
  }

  private mutating func elsewhere() -> Operation {
    .saveElsewhere(
      Dictionary((0...below(3)).map { _ in (key(), below(3) == 0 ? nil : pick(objects)) }) { $1 })
  }

  /// A step inside a transaction, of which raw changes of some stores are no part.
  private mutating func inner() -> Operation {
    switch below(12) {
    case 3: .flush
    case 4: .snapshot
    case 5: .exclusively((0...below(2)).map { _ in change() }, throwing: below(2) == 0)
    case 0 where kind.undoesRawChanges: .raw(key(), below(3) == 0 ? nil : pick(objects))
    case 1: .transaction((0...below(2)).map { _ in inner() }, throwing: below(2) == 0)
    case 2: .importObjects([key(): pick(objects)])
    default: change()
    }
  }
}
