import Foundation
import XCTest

@testable import TestSupport
@testable import TypedDefaults

/// The model of layers: all that a layer does follows from its place in the list of a store's layers.
final class LayerTests: XCTestCase {
  private static let ofTheTest = Layer(
    source: SettingSource(description: "test"), before: "The test's value of \"", after: "\"",
    advice: "Correct the test.")

  private struct Settings: SettingsGroup {
    @WrappedDefault("port", environment: "TYPED_DEFAULTS_TESTS_PORT") var port = 1
    @WrappedDefault("name", formerly: "title") var name = "none"
  }

  private func texts(_ dictionary: Any?) -> [String: String]? {
    (dictionary as? [String: Any])?.mapValues { "\($0)" }
  }

  /// A layer needs one line, and something that gives its objects.
  func testALayerOfTheTestsOwn() throws {
    let recorder = recordIssues()
    let memory = MemoryBackend(
      layers: [.argument, .environment, Self.ofTheTest, .stored, .registered])
    let store = MemoryUserDefaults(memory, domain: "", arguments: [:])
    let settings = Settings(in: store)
    settings.port = 3
    memory.setObjects(
      ["port": PropertyListObject(5), "title": PropertyListObject("Ann")], at: Self.ofTheTest)
    XCTAssertEqual(settings.port, 5)
    XCTAssertEqual(store.integer(forKey: "port"), 5)
    XCTAssertEqual(store.value(for: UserDefaults.Key<Int>("port")), 5)
    XCTAssertEqual("\(settings.$port.source)", "test")
    XCTAssertEqual(settings.name, "Ann", "a former name counts")

    settings.name = "Bob"
    XCTAssertEqual(settings.name, "Ann", "which lies beneath")
    try? store.transaction {
      settings.port = 4
      throw CancellationError()
    }
    XCTAssertEqual(settings.port, 5)
    let exported = try PropertyListSerialization.propertyList(
      from: settings.exportData(), format: nil)
    var stored = exported as? [String: Any]
    XCTAssertNotNil(stored?.removeValue(forKey: "TypedDefaults"))
    XCTAssertEqual(texts(stored), ["port": "3", "name": "Bob"])
    settings.$port.withLock { $0 += 1 }
    XCTAssertEqual(settings.port, 5)
    XCTAssertEqual(recorder.take().map(\.description), [])

    memory.setObjects(["port": PropertyListObject("high")], at: Self.ofTheTest)
    XCTAssertEqual(settings.port, 4)
    XCTAssertEqual(settings.$port.source, .stored)
    XCTAssertEqual(
      recorder.take().map(\.description),
      [
        """
        The test's value of "port" cannot be read as Int: it is the string "high"; expected an integer. \
        The setting returns the number 4 (stored). Correct the test.
        """
      ])
    settings.port = 6
    settings.$port.reset()
    XCTAssertEqual(memory.storedObjects(in: store).keys.sorted(), ["name"], "nothing is kept aside")
  }

  #if os(Linux) && !TYPED_DEFAULTS_PLATFORM_SAVES
    /// 100,000 keys in random files of an administrator's, beside arguments and stored objects.
    func testRandomFilesGiveWhatTheModelGives() throws {
      DefaultsIssue.setHandler { _ in }
      defer { DefaultsIssue.setHandler(nil) }
      var random = SeededGenerator()
      let folder = try makeTemporaryFolder()
      let directories = try ["a", "b"].map { name in
        let directory = folder.appending(path: name)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        return directory
      }
      let memory = MemoryBackend(layers: Layer.ofFile)
      let store = MemoryUserDefaults(memory, domain: "", arguments: [:])
      let files = AdministratorFiles(
        Layer.ofFile.compactMap(\.fileSuffix),
        besides: PreferencesFile(path: folder.appending(path: "app.plist").path),
        directories: directories.map(\.path)
      ) { memory.put($0, keys: $1) }
      let settings = (0..<100).map {
        WrappedDefault(wrappedValue: -1, .init(name: "key\($0)"), userDefaults: store)
      }

      func objects() -> [String: Any] {
        Dictionary(
          uniqueKeysWithValues: settings.compactMap { setting in
            switch Int.random(in: 0..<100, using: &random) {
            case 0: (setting.key, "bad")
            case 1..<10: (setting.key, "\(Int.random(in: 0..<3, using: &random))")
            case 10..<30: (setting.key, Int.random(in: 0..<3, using: &random))
            default: nil
            }
          })
      }
      var contents: [URL: [String: Any]] = [:]
      /// Writes a file, removes it, or lets it be.
      func file(_ directory: URL, _ suffix: String, _ round: Int) throws -> [String: Any] {
        let file = directory.appending(path: "app\(suffix)")
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
          contents[file] = nil
          try? FileManager.default.removeItem(at: file)
        case 1..<4:
          let objects = objects()
          contents[file] = objects
          try PropertyListSerialization.data(fromPropertyList: objects, format: .xml, options: 0)
            .write(to: file)
          // Long ago, so that the file is not read again.
          try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: Double(round - 10000))],
            ofItemAtPath: file.path)
        default: break
        }
        return contents[file] ?? [:]
      }

      let rounds = Scale.rounds(100, long: 1000)
      var count = 0
      for round in 0..<rounds {
        let managed = try directories.map { try file($0, ".managed.plist", round) }
        let system = try directories.map { try file($0, ".plist", round) }
        let (arguments, stored) = (objects(), objects())
        store.setVolatileDomain(arguments, forName: UserDefaults.argumentDomain)
        store.setPersistentDomain(stored, forName: "")
        XCTAssertEqual(files.read().issues.map(\.description), [])
        let layers: [(SettingSource, [String: Any])] =
          managed.map { (.managed, $0) } + [(.launchArgument, arguments), (.stored, stored)]
          + system.map { (.system, $0) }
        for setting in settings {
          let found = layers.compactMap { layer in
            layer.1[setting.key].map { (source: layer.0, object: $0) }
          }
          let counting = found.first { "\($0.object)" != "bad" }
          let expected = counting.flatMap { Int("\($0.object)") } ?? -1
          let raw = found.first.map { "\($0.object)" } ?? "-1"
          guard setting.wrappedValue == expected,
            setting.source == counting?.source ?? .defaultValue,
            store.object(forKey: setting.key).map({ "\($0)" }) == raw,
            setting.isStored == (stored[setting.key] != nil)
          else {
            return XCTFail(
              """
              \(random): round \(round), \(setting.key): \(setting.wrappedValue) of \(setting.source), not \
              \(expected) of \(found)
              """)
          }
          count += 1
        }
      }
      XCTAssertEqual(count, rounds * settings.count)
    }

    func testFormerNamesCountInTheirFilesAndAreNotMoved() throws {
      let folder = try makeTemporaryFolder()
      let directory = folder.appending(path: "etc")
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
      let file = directory.appending(path: "app.managed.plist")
      let data = try PropertyListSerialization.data(
        fromPropertyList: ["title": "Ann", "port": "high"], format: .xml, options: 0)
      try data.write(to: file)
      let recorder = recordIssues()
      let path = folder.appending(path: "app").path
      let store = MemoryUserDefaults(savedIn: path, directories: [directory.path])
      let settings = Settings(in: store)
      XCTAssertEqual(settings.name, "Ann")
      XCTAssertEqual(settings.$name.source, .managed)
      XCTAssertEqual(settings.port, 1)
      XCTAssertEqual(recorder.take().map(\.key), ["port"])
      settings.name = "Bob"
      settings.port = 2
      XCTAssertEqual(settings.name, "Ann")
      XCTAssertEqual(settings.port, 2)
      try store.flush()
      XCTAssertEqual(
        texts(store.persistentDomain(forName: path)), ["name": "Bob", "port": "2"])
      XCTAssertEqual(
        texts(store.dictionaryRepresentation()),
        ["name": "Bob", "title": "Ann", "port": "high"])
      XCTAssertEqual(try Data(contentsOf: file), data)
    }
  #endif
}
