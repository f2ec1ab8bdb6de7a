import Configuration
import ConfigurationDefaults
import TypedDefaults
import XCTest

/// A second process changes the settings.
final class OtherProcessTests: XCTestCase {
  private var folder = URL(filePath: "/")
  private var suite: String { folder.appending(path: "app").path }

  override func setUpWithError() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "Configuration-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    addTeardownBlock { [folder] in try FileManager.default.removeItem(at: folder) }
  }

  /// Starts a process that stores a number, and waits for its end.
  private func set(_ key: String, to number: Int) throws {
    #if canImport(Darwin)
      let products = Bundle(for: Self.self).bundleURL.deletingLastPathComponent()
    #else
      let products = Bundle.main.bundleURL
    #endif
    let process = try Process.run(
      products.appending(path: "ConfigurationProbe"),
      arguments: ["set", suite, key, "\(number)"])
    process.waitUntilExit()
    XCTAssertEqual(process.terminationStatus, 0)
  }

  func testAReaderHearsOfItsChanges() async throws {
    let config = ConfigReader(
      provider: DefaultsProvider(.saved(suiteName: suite), prefix: "server."))
    try await config.watchInt(forKey: "http.timeout") { updates in
      var values = updates.makeAsyncIterator()
      let first = try await values.next()
      XCTAssertEqual(first, .some(nil))
      for number in 1...3 {
        try self.set("server.http.timeout", to: number)
        let next = try await values.next()
        XCTAssertEqual(next, number)
        XCTAssertEqual(config.int(forKey: "http.timeout"), number)
      }
    }
    try await config.watchSnapshot { snapshots in
      var snapshots = snapshots.makeAsyncIterator()
      let first = try await snapshots.next()
      XCTAssertEqual(first?.int(forKey: "http.timeout"), 3)
      try self.set("server.http.timeout", to: 4)
      let next = try await snapshots.next()
      XCTAssertEqual(next?.int(forKey: "http.timeout"), 4)
      XCTAssertEqual(first?.int(forKey: "http.timeout"), 3)
    }
  }

  func testAFetchHasWhatIsSavedNow() async throws {
    let config = ConfigReader(provider: DefaultsProvider(.saved(suiteName: suite)))
    let missing = try await config.fetchInt(forKey: "http.timeout")
    XCTAssertNil(missing)
    // The memory follows within 100 ms, and a fetch without that delay.
    for number in 1...20 {
      try set("http.timeout", to: number)
      let fetched = try await config.fetchInt(forKey: "http.timeout")
      XCTAssertEqual(fetched, number)
    }
  }

  func testAReadMakesNoFileOrFolder() async throws {
    let place = folder.appending(path: "missing/app")
    let provider = DefaultsProvider(.saved(suiteName: place.path))
    XCTAssertNil(try provider.value(forKey: "a", type: .int).value)
    let fetched = try await provider.fetchValue(forKey: "a", type: .int).value
    XCTAssertNil(fetched)
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), [])
  }
}
