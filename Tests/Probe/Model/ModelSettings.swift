import Foundation
import TypedDefaults

/// The settings that random operations are made on.
struct ModelSettings: SettingsGroup {
  enum Theme: String, UserDefaultsSerializable { case system, light, dark }

  struct Point: Codable, UserDefaultsSerializable {
    var x = 1
    var y = 2
  }

  /// A type that refuses some of its own stored forms.
  struct Even: UserDefaultsSerializable {
    let storedValue: Int
    init(_ number: Int) { storedValue = number }
    init?(storedValue: Int) {
      guard storedValue.isMultiple(of: 2) else { return nil }
      self.init(storedValue)
    }
  }

  struct Inner: SettingsGroup {
    @WrappedDefault("size") var size = 1
  }

  @WrappedDefault("count", formerly: "total", "sum", environment: "MODEL_COUNT") var count = 4
  @WrappedDefaultOptional("name", formerly: "title") var name: String?
  @WrappedDefault("theme", environment: "MODEL_THEME") var theme = Theme.system
  @WrappedDefault("point", formerly: "place") var point = Point()
  // After the prefix, the mark and the dot are one character to Swift.
  @WrappedDefault("\u{301}tags") var tags = [0]
  @WrappedDefaultOptional("flag", environment: "MODEL_FLAG") var flag: Bool?
  @WrappedDefault("even", isSecret: true) var even = Even(2)
  @WrappedDefault(
    "level", in: 0...5, formerly: "height", .init("steps") { (steps: Int) in steps / 10 },
    .init("grade") { (grade: String) in grade.count })
  var level = 3
  @WrappedDefault(
    "ratio",
    formerly: .init("percent") { (percent: Int) in percent == 7 ? nil : Double(percent) / 100 })
  var ratio = 0.5
  let inner = Inner(prefix: "inner.")

  var members: [Member] {
    [
      Member($count), Member($name), Member($theme), Member($point), Member($tags), Member($flag),
      Member($even), Member($level), Member($ratio), Member(inner.$size),
    ]
  }

  /// The same, as the model knows them.
  static func declared(_ prefix: String) -> [Model.Setting] {
    var settings: [Model.Setting] = [
      .init(
        key: "count", type: .int, default: .int(4), formerKeys: ["total", "sum"],
        variable: "MODEL_COUNT"),
      .init(key: "name", type: .text, formerKeys: ["title"]),
      .init(key: "theme", type: .theme, default: .text("system"), variable: "MODEL_THEME"),
      .init(
        key: "point", type: .point, default: .text(#"{"x":1,"y":2}"#), formerKeys: ["place"]),
      .init(key: "\u{301}tags", type: .list, default: .list([.int(0)])),
      .init(key: "flag", type: .flag, variable: "MODEL_FLAG"),
      .init(key: "even", type: .even, default: .int(2), isSecret: true),
      .init(
        key: "level", type: .level, default: .int(3), formerKeys: ["height", "steps", "grade"],
        conversions: [
          "steps": .init(old: .int) { .int(Int($0) / 10) },
          "grade": .init(old: .text) { .int(String($0).count) },
        ]),
      .init(
        key: "ratio", type: .ratio, default: .double(0.5), formerKeys: ["percent"],
        conversions: [
          "percent": .init(old: .int) { Int($0) == 7 ? nil : .double(Double(Int($0)) / 100) }
        ]),
      .init(key: "inner.size", type: .int, default: .int(1)),
    ]
    for index in settings.indices {
      settings[index].key = prefix + settings[index].key
      settings[index].formerKeys = settings[index].formerKeys.map { prefix + $0 }
      settings[index].conversions = Dictionary(
        uniqueKeysWithValues: settings[index].conversions.map { (prefix + $0, $1) })
    }
    return settings
  }

  static let variables = ["MODEL_COUNT", "MODEL_THEME", "MODEL_FLAG"]

  /// All keys, without the prefix.
  static let keys =
    declared("").flatMap { [$0.key] + $0.formerKeys } + ["other", "unused"]

  /// Typed keys: some of the settings' own types, some of others.
  static func typedKeys(_ prefix: String) -> [Model.Setting] {
    [
      .init(key: prefix + "count", type: .int, isTypedKey: true),
      .init(key: prefix + "count", type: .text, isTypedKey: true),
      .init(key: prefix + "total", type: .int, isTypedKey: true),
      .init(key: prefix + "theme", type: .text, isTypedKey: true),
      .init(key: prefix + "\u{301}tags", type: .list, isTypedKey: true),
      .init(key: prefix + "point", type: .point, isTypedKey: true),
      .init(key: prefix + "level", type: .int, isTypedKey: true),
      .init(key: prefix + "other", type: .int, formerKeys: [prefix + "unused"], isTypedKey: true),
    ]
  }

  static func typedMembers(_ prefix: String, in store: UserDefaults) -> [TypedMember] {
    [
      TypedMember(Int.self, prefix + "count", store),
      TypedMember(String.self, prefix + "count", store),
      TypedMember(Int.self, prefix + "total", store),
      TypedMember(String.self, prefix + "theme", store),
      TypedMember([Int].self, prefix + "\u{301}tags", store),
      TypedMember(Point.self, prefix + "point", store),
      TypedMember(Int.self, prefix + "level", store),
      TypedMember(
        UserDefaults.Key<Int>(name: prefix + "other", formerly: prefix + "unused"), store),
    ]
  }
}

/// A setting of any type, whose values are objects.
struct Member {
  let setting: any DeclaredSetting
  let read: () -> Object?
  let assign: (Object?) -> Void
  let withLock: ((Object?) throws -> Object?) throws -> Void
  let onChange: (@escaping @Sendable (Object?, Object?) -> Void) -> SettingObservation
  let updates: () -> () -> Object?

  init<T: ModelValue>(_ wrapper: WrappedDefault<T>) {
    setting = wrapper
    read = { wrapper.wrappedValue.object }
    assign = { wrapper.wrappedValue = T($0!) }
    withLock = { change in try wrapper.withLock { $0 = T(try change($0.object)!) } }
    onChange = { call in wrapper.onChange { call($0.object, $1.object) } }
    updates = {
      let iteration = Iteration(wrapper.updates)
      return { iteration.next().object }
    }
  }

  init<T: ModelValue>(_ wrapper: WrappedDefaultOptional<T>) {
    setting = wrapper
    read = { wrapper.wrappedValue?.object }
    assign = { wrapper.wrappedValue = $0.map(T.init) }
    withLock = { change in try wrapper.withLock { $0 = try change($0?.object).map(T.init) } }
    onChange = { call in wrapper.onChange { call($0?.object, $1?.object) } }
    updates = {
      let iteration = Iteration(wrapper.updates)
      return { iteration.next()?.object }
    }
  }
}

struct TypedMember {
  let read: () -> Object?
  let assign: (Object?) -> Void

  init<T: ModelValue>(_: T.Type, _ name: String, _ store: UserDefaults) {
    self.init(UserDefaults.Key<T>(name: name), store)
  }

  init<T: ModelValue>(_ key: UserDefaults.Key<T>, _ store: UserDefaults) {
    read = { store.value(for: key)?.object }
    assign = { store.set($0.map(T.init), for: key) }
  }
}

/// An iteration that one task at a time goes on with, while its thread waits.
private final class Iteration<Value: Sendable>: @unchecked Sendable {
  private var iterator: DefaultUpdates<Value>.Iterator
  private var value: Value?

  init(_ updates: DefaultUpdates<Value>) { iterator = updates.makeAsyncIterator() }

  func next() -> Value {
    let isThere = DispatchSemaphore(value: 0)
    Task {
      value = await iterator.next()
      isThere.signal()
    }
    isThere.wait()
    return value!
  }
}

protocol ModelValue: UserDefaultsSerializable {
  init(_ object: Object)
  var object: Object { get }
}

extension Int: ModelValue {
  init(_ object: Object) { self = object.any as! Int }
  var object: Object { .int(self) }
}
extension String: ModelValue {
  init(_ object: Object) { self = object.any as! String }
  var object: Object { .text(self) }
}
extension Bool: ModelValue {
  init(_ object: Object) { self = object.any as! Bool }
  var object: Object { .bool(self) }
}
extension Double: ModelValue {
  init(_ object: Object) { self = object.any as! Double }
  var object: Object { .double(self) }
}
extension [Int]: ModelValue {
  init(_ object: Object) { self = object.any as! [Int] }
  var object: Object { .list(map(Object.int)) }
}
extension ModelSettings.Theme: ModelValue {
  init(_ object: Object) { self.init(rawValue: String(object))! }
  var object: Object { .text(rawValue) }
}
extension ModelSettings.Even: ModelValue {
  init(_ object: Object) { self.init(Int(object)) }
  var object: Object { .int(storedValue) }
}
extension ModelSettings.Point: ModelValue {
  init(_ object: Object) {
    self = try! JSONDecoder().decode(Self.self, from: Data(String(object).utf8))
  }
  var object: Object { .text("{\"x\":\(x),\"y\":\(y)}") }
}
