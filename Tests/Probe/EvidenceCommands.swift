#if os(Linux)
  import Foundation
  import TypedDefaults

  /// `evidence STORE DEFAULTS`, followed by steps in the form `name` or `name:key` or `name:key=number`:
  /// a suite of Foundation's class, in a process whose file Foundation cannot always open.
  ///
  /// STORE is `standard` or `suite`. DEFAULTS is `zero` if the settings have a default, which is
  /// registered, or `none`. What has no value is printed as 0.
  struct EvidenceCommands {
    private let store: UserDefaults
    private let name: String
    private let hasDefaults: Bool
    private var settings: [String: any EvidenceSetting] = [:]
    private var observations: [SettingObservation] = []
    private let heard = Calls<Int>()
    private var otherProcess: OtherProcess?

    static func run(_ arguments: ArraySlice<String>) throws {
      DefaultsIssue.setHandler { _ in }
      let steps = Array(arguments.dropFirst(2))
      // Before the store is used.
      if steps.first == "as-user" { _ = SystemCommands.take("without-privileges", "", .standard) }
      let isStandard = arguments.first == "standard"
      var commands = EvidenceCommands(
        store: isStandard ? .standard : UserDefaults(suiteName: "suite")!,
        name: isStandard ? "Probe" : "suite", hasDefaults: arguments.dropFirst().first == "zero")
      for step in steps where step != "as-user" {
        // What follows is Foundation's.
        if step.hasPrefix("-") { break }
        try commands.take(step)
      }
    }

    private init(store: UserDefaults, name: String, hasDefaults: Bool) {
      (self.store, self.name, self.hasDefaults) = (store, name, hasDefaults)
    }

    private var path: String {
      ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"]! + "/\(name).plist"
    }

    private mutating func setting(_ key: String) -> any EvidenceSetting {
      if let setting = settings[key] { return setting }
      let setting: any EvidenceSetting =
        hasDefaults
        ? WrappedDefault(keyName: key, defaultValue: 0, userDefaults: store)
        : WrappedDefaultOptional<Int>(keyName: key, userDefaults: store)
      settings[key] = setting
      return setting
    }

    private func list(_ key: String) -> WrappedDefault<[Int]> {
      WrappedDefault(keyName: key, defaultValue: [0], userDefaults: store)
    }

    private mutating func take(_ step: String) throws {
      let parts = step.split(whereSeparator: { $0 == ":" || $0 == "=" }).map(String.init)
      let key = parts.count > 1 ? parts[1] : ""
      let number = parts.count > 2 ? Int(parts[2])! : 0
      let say = SavingCommands.say
      switch parts[0] {
      // By the library.
      case "get": say(setting(key).number)
      case "stored": say(setting(key).isStored)
      case "stored-value": say(store.storedValue(for: UserDefaults.Key<Int>(name: key)) ?? 0)
      case "set": setting(key).set(number)
      case "remove": setting(key).reset()
      case "add": setting(key).add(number)
      case "get-list": say(list(key).wrappedValue)
      case "set-list": list(key).wrappedValue = [number]
      case "throw": throwFromTransaction(setting(key), number)
      case "declare":
        _ = WrappedDefault(keyName: key, defaultValue: number, userDefaults: store).wrappedValue
      case "snapshot":
        let copy = EvidenceGroup(in: store).snapshot()
        say("\(copy.a ?? 0) \(copy.b ?? 0) \(copy.c ?? 0)")
      case "import":
        let data = try PropertyListSerialization.data(
          fromPropertyList: ["a": 1, "b": 2, "c": 3, key: number], format: .xml, options: 0)
        _ = try EvidenceGroup(in: store).importData(data)
      case "flush": say((try? store.flush()) == nil ? "not flushed" : "flushed")
      case "try-flush": try? store.flush()
      case "hear":
        observations.append(setting(key).hear { [heard] in heard.append($0) })
      case "heard": say(heard.take())

      // By Foundation.
      case "raw-get": say(store.integer(forKey: key))
      case "raw-set": store.set(number, forKey: key)
      case "raw-remove": store.removeObject(forKey: key)
      case "register": store.register(defaults: [key: number])
      case "post":
        NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: store)
      case "get-when-posted":
        let setting = setting(key)
        _ = NotificationCenter.default.addObserver(
          forName: UserDefaults.didChangeNotification, object: nil, queue: nil
        ) { _ in say("posted \(setting.number)") }
      case "other-domain": Self.otherDomain()
      case "remove-domain":
        // The standard suite by the name that Foundation has for it once it has been read.
        store.removePersistentDomain(
          forName: name == "Probe" ? "kCFPreferencesCurrentApplication" : name)
      case "argument":
        store.setVolatileDomain([key: "\(number)"], forName: UserDefaults.argumentDomain)
      case "no-argument": store.removeVolatileDomain(forName: UserDefaults.argumentDomain)
      case "add-suite":
        UserDefaults(suiteName: "added")!.set(number, forKey: key)
        store.addSuite(named: "added")
      case "remove-suite": store.removeSuite(named: "added")

      // By others.
      case "descriptors": Descriptors.leave(Int(key))
      case "file":
        let data = try Data(contentsOf: URL(filePath: path))
        let contents =
          try PropertyListSerialization.propertyList(from: data, format: nil) as! [String: Any]
        say(["a", "b", "c"].map { "\(contents[$0] ?? 0)" }.joined(separator: " "))
      case "unreadable": Permission.take(from: path)
      case "readable": Permission.give(to: path)
      case "elsewhere":
        if otherProcess == nil { otherProcess = OtherProcess(store, seed: 0) }
        try otherProcess?.save([key: parts.count > 2 ? .int(number) : nil])
      case "until-raw":
        let end = ContinuousClock.now + .seconds(10)
        repeat { _ = setting(key).number } while store.integer(forKey: key) != number && .now < end
        say(store.integer(forKey: key))
      case "race": race(key, setting("a"))
      default: fatalError("no such step: \(step)")
      }
    }

    private static func otherDomain() {
      UserDefaults(suiteName: "other")!.setPersistentDomain(["x": 1], forName: "other")
    }

    private struct Thrown: Error {}

    private func throwFromTransaction(_ setting: any EvidenceSetting, _ number: Int) {
      try? store.transaction {
        setting.set(number)
        throw Thrown()
      }
    }

    /// Changes a setting for two seconds, while another thread takes the last descriptor and gives it back.
    /// Prints the number of changes, each of which makes the value greater by one, and the value.
    private func race(_ kind: String, _ setting: any EvidenceSetting) {
      setting.set(0)
      Descriptors.leave(1)
      let isOver = Flag()
      let thread = Thread {
        while !isOver.value {
          let descriptor = open("/dev/null", O_RDONLY)
          if descriptor != -1 { close(descriptor) }
        }
      }
      thread.start()
      let end = ContinuousClock.now + .seconds(2)
      var count = 0
      while .now < end {
        count += 1
        switch kind {
        case "lock": setting.add(1)
        default: setting.set(count)
        }
        switch kind {
        case "post" where count % 10 == 0:
          NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: store)
        case "domain" where count % 10 == 0: Self.otherDomain()
        default: break
        }
        if setting.number != count { break }
      }
      isOver.set()
      Descriptors.leave(nil)
      SavingCommands.say("\(count) \(setting.number)")
    }
  }

  private struct EvidenceGroup: SettingsGroup {
    @WrappedDefaultOptional("a") var a: Int?
    @WrappedDefaultOptional("b") var b: Int?
    @WrappedDefaultOptional("c") var c: Int?
    @WrappedDefaultOptional("d") var d: Int?
  }

  /// A setting of numbers, with or without a default.
  private protocol EvidenceSetting: DeclaredSetting {
    var number: Int { get }
    func set(_ number: Int)
    func add(_ number: Int)
    func hear(_ call: @escaping @Sendable (Int) -> Void) -> SettingObservation
  }

  extension WrappedDefault<Int>: EvidenceSetting {
    fileprivate var number: Int { wrappedValue }
    fileprivate func set(_ number: Int) { wrappedValue = number }
    fileprivate func add(_ number: Int) { withLock { $0 += number } }
    fileprivate func hear(_ call: @escaping @Sendable (Int) -> Void) -> SettingObservation {
      onChange { call($1) }
    }
  }

  extension WrappedDefaultOptional<Int>: EvidenceSetting {
    fileprivate var number: Int { wrappedValue ?? 0 }
    fileprivate func set(_ number: Int) { wrappedValue = number }
    fileprivate func add(_ number: Int) { withLock { $0 = ($0 ?? 0) + number } }
    fileprivate func hear(_ call: @escaping @Sendable (Int) -> Void) -> SettingObservation {
      onChange { call($1 ?? 0) }
    }
  }
#endif
