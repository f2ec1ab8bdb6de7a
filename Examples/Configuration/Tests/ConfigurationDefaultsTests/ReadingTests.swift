import Configuration
import ConfigurationDefaults
import Synchronization
import TypedDefaults
import XCTest

private struct HTTPSettings: SettingsGroup {
  @WrappedDefault("http.host") var host = "example.com"
  @WrappedDefault("http.timeout") var timeout = 30
  @WrappedDefault("http.weight") var weight = 0.5
  @WrappedDefault("http.isSecure") var isSecure = false
  @WrappedDefault("http.certificate") var certificate = Data()
  @WrappedDefault("http.paths") var paths: [String] = []
  @WrappedDefault("http.ports") var ports: Set<Int> = []
  @WrappedDefault("http.weights") var weights: [Double] = []
  @WrappedDefault("http.flags") var flags: [Bool] = []
  @WrappedDefault("http.keys") var keys: [Data] = []
  @WrappedDefault("http.password", isSecret: true) var password = ""
}

final class ReadingTests: XCTestCase {
  private func value(
    of key: AbsoluteConfigKey, _ type: ConfigType, in provider: DefaultsProvider
  ) throws -> ConfigContent? {
    let value = try provider.value(forKey: key, type: type)
    XCTAssertEqual(try provider.snapshot().value(forKey: key, type: type), value, "snapshot")
    return value.value?.content
  }

  func testAReaderHasTheValuesOfSettings() throws {
    let store = UserDefaults.inMemory()
    let settings = HTTPSettings(in: store)
    (settings.host, settings.timeout, settings.weight) = ("swift.org", 5, 1.25)
    (settings.isSecure, settings.certificate) = (true, Data([1, 255]))
    (settings.paths, settings.ports, settings.weights) = (["a", "b"], [443, 80], [1, 0.5])
    (settings.flags, settings.keys) = ([true, false], [Data([2]), Data()])
    let http = ConfigReader(provider: DefaultsProvider(store)).scoped(to: "http")
    XCTAssertEqual(try http.requiredString(forKey: "host"), "swift.org")
    XCTAssertEqual(try http.requiredInt(forKey: "timeout"), 5)
    XCTAssertEqual(try http.requiredDouble(forKey: "weight"), 1.25)
    XCTAssertEqual(try http.requiredBool(forKey: "isSecure"), true)
    XCTAssertEqual(try http.requiredBytes(forKey: "certificate"), [1, 255])
    XCTAssertEqual(try http.requiredStringArray(forKey: "paths"), ["a", "b"])
    XCTAssertEqual(Set(try http.requiredIntArray(forKey: "ports")), [80, 443])
    XCTAssertEqual(try http.requiredDoubleArray(forKey: "weights"), [1, 0.5])
    XCTAssertEqual(try http.requiredBoolArray(forKey: "flags"), [true, false])
    XCTAssertEqual(try http.requiredByteChunkArray(forKey: "keys"), [[2], []])
    XCTAssertNil(http.int(forKey: "missing"))
  }

  func testTextsAreReadAsSettingsReadThem() throws {
    // As a launch argument or a person writes them.
    let provider = DefaultsProvider(
      .inMemory([
        "timeout": "5", "weight": "1e3", "isSecure": "YES", "port": 80, "ports": "[80, 443]",
      ]))
    XCTAssertEqual(try value(of: "timeout", .int, in: provider), .int(5))
    XCTAssertEqual(try value(of: "weight", .double, in: provider), .double(1000))
    XCTAssertEqual(try value(of: "isSecure", .bool, in: provider), .bool(true))
    XCTAssertEqual(try value(of: "port", .string, in: provider), .string("80"))
    XCTAssertEqual(try value(of: "ports", .intArray, in: provider), .intArray([80, 443]))
  }

  func testAValueOfAnotherTypeIsTheReadersOwnError() throws {
    let issues = Mutex<[String]>([])
    DefaultsIssue.setHandler { issue in issues.withLock { $0.append("\(issue)") } }
    defer { DefaultsIssue.setHandler(nil) }
    let objects: [String: Any] = ["text": "loud", "data": Data([1]), "list": ["loud", [1]]]
    let provider = DefaultsProvider(.inMemory(objects))
    let types: [String: [ConfigType]] = [
      "text": [.int, .double, .bool, .bytes, .stringArray, .intArray],
      "data": [.string, .bool, .stringArray],
      "list": [.string, .stringArray, .intArray, .doubleArray, .boolArray, .byteChunkArray],
    ]
    for (key, type) in types.flatMap({ key, types in types.map { (key, $0) } }) {
      let words = "Config value for key '\(key)' failed to convert to type \(type)."
      let key = AbsoluteConfigKey(stringLiteral: key)
      XCTAssertThrowsError(try provider.value(forKey: key, type: type)) {
        XCTAssertEqual("\($0)", words)
      }
      XCTAssertThrowsError(try provider.snapshot().value(forKey: key, type: type)) {
        XCTAssertEqual("\($0)", words)
      }
    }
    // As with each provider, the next one is not asked.
    let config = ConfigReader(providers: [provider, InMemoryProvider(values: ["text": 7])])
    XCTAssertEqual(config.int(forKey: "text", default: 5), 5)
    XCTAssertEqual(issues.withLock { $0 }, [], "the value may be a secret")
  }

  func testTheKeysOfADictionaryFollowADot() throws {
    let provider = DefaultsProvider(
      .inMemory([
        "http": ["timeout": 1, "tls": ["minimum": 2], "tls.maximum": 3, "port": 4] as [String: Any],
        "http.tls": ["only": 5], "http.port": 6, "flag": true,
      ]))
    XCTAssertEqual(try value(of: "http.timeout", .int, in: provider), .int(1))
    XCTAssertEqual(try value(of: "http.tls.minimum", .int, in: provider), .int(2))
    XCTAssertEqual(try value(of: "http.tls.maximum", .int, in: provider), .int(3))
    XCTAssertEqual(try value(of: "http.tls.only", .int, in: provider), .int(5))
    XCTAssertEqual(try value(of: "http.port", .int, in: provider), .int(6), "no dictionary's")
    XCTAssertNil(try value(of: "http.tls.none", .int, in: provider))
    XCTAssertNil(try value(of: "flag.of", .int, in: provider), "not a dictionary")
    XCTAssertNil(try value(of: ["http", ""], .int, in: provider))
    XCTAssertThrowsError(try value(of: "http", .int, in: provider))
  }

  func testAManagedDictionaryIsAPrefix() throws {
    let managed = "com.apple.configuration.managed"
    let values: [String: Any] = ["http.timeout": 1, "http": ["port": 2]]
    for store in [UserDefaults.inMemory([managed: values]), .inMemory(managed: [managed: values])] {
      let provider = DefaultsProvider(store, prefix: "\(managed).")
      XCTAssertEqual(try value(of: "http.timeout", .int, in: provider), .int(1))
      XCTAssertEqual(try value(of: "http.port", .int, in: provider), .int(2))
    }
  }

  func testAPrefixIsThatOfAGroup() throws {
    let store = UserDefaults.inMemory(["http.timeout": 1])
    HTTPSettings(in: store, prefix: "eu/").timeout = 2
    let provider = DefaultsProvider(store, prefix: "eu/")
    XCTAssertEqual(try value(of: "http.timeout", .int, in: provider), .int(2))
    XCTAssertEqual(
      try provider.value(forKey: "http.timeout", type: .int).encodedKey, "eu/http.timeout")
    XCTAssertEqual(provider.providerName, "DefaultsProvider[eu/]")
    XCTAssertEqual(provider.snapshot().providerName, "DefaultsProvider[eu/]")
  }

  func testKeysHaveTheNamesOfAnEncoding() throws {
    let store = UserDefaults.inMemory(["httpTimeout": 1])
    let provider = DefaultsProvider(store) { key in
      key.components[0] + key.components.dropFirst().map(\.capitalized).joined()
    }
    XCTAssertEqual(try value(of: "http.timeout", .int, in: provider), .int(1))
  }

  func testTheUppermostLayerCounts() throws {
    let store = UserDefaults.inMemory(
      ["a": 2, "b": 2], managed: ["a": 1], system: ["a": 3, "b": 3, "c": 3])
    store.register(defaults: ["c": 4, "d": 4])
    let provider = DefaultsProvider(store)
    for (key, number) in ["a": 1, "b": 2, "c": 3, "d": 4] {
      XCTAssertEqual(
        try value(of: .init(stringLiteral: key), .int, in: provider), .int(number), key)
    }
  }

  func testASecretStaysASecret() throws {
    let store = UserDefaults.inMemory()
    let settings = HTTPSettings(in: store)
    settings.password = "hunter2"
    let secrets = Set(settings.settings.filter(\.isSecret).map(\.key))
    let provider = DefaultsProvider(store, secrets: .specific(secrets))
    let events = Events()
    let config = ConfigReader(provider: provider, accessReporter: events)
    XCTAssertEqual(config.string(forKey: "http.password"), "hunter2")
    XCTAssertEqual(config.snapshot().string(forKey: "http.password"), "hunter2")
    XCTAssertNil(config.int(forKey: "http.password"))
    XCTAssertEqual(config.string(forKey: "http.host", default: ""), "example.com")
    let texts = events.texts
    XCTAssertEqual(texts.count, 4)
    for text in texts { XCTAssertFalse(text.contains("hunter2"), text) }
    XCTAssert(texts[0].contains("\"<REDACTED>\""), texts[0])
    XCTAssert(texts[3].contains("\"example.com\""), texts[3])
    XCTAssertEqual("\(provider), \(provider.snapshot())", "DefaultsProvider[], DefaultsProvider[]")
  }
}

/// What a reader reports.
private final class Events: AccessReporter {
  private let events = Mutex<[String]>([])

  var texts: [String] { events.withLock { $0 } }

  func report(_ event: AccessEvent) { events.withLock { $0.append("\(event)") } }
}
