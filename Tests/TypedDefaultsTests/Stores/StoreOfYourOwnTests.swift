import Dispatch
import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

/// The store that the comment of `DefaultsStore` shows.
final class StoreOfYourOwnTests: XCTestCase {
  func testItIsTheOneOfTheComment() throws {
    let samples = try Page("Sources/TypedDefaults/Stores/DefaultsStore.swift").samples
    let store = try XCTUnwrap(samples.first).lines.joined(separator: "\n")
    let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    XCTAssertTrue(source.contains(store), "differs from the comment's")
  }

  func testASettingIsAssignedResetAndRemoved() async throws {
    try await withDeadline {
      let store = ServerDefaults()
      let limits = LimitSettings(in: store)
      XCTAssertEqual(limits.maxConnections, 100)
      limits.maxConnections = 200
      XCTAssertEqual(limits.maxConnections, 200)
      limits.$maxConnections.reset()
      XCTAssertEqual(limits.maxConnections, 100)
      XCTAssertFalse(limits.$maxConnections.isStored)
      let name = WrappedDefaultOptional<String>("name", userDefaults: store)
      name.wrappedValue = "Ann"
      name.wrappedValue = nil
      XCTAssertNil(name.wrappedValue)
      limits.maxConnections = 300
      limits.resetAll()
      XCTAssertEqual(limits.maxConnections, 100)
      store.removeValue(for: UserDefaults.Key<Int>("maxConnections"))
      try? store.transaction {
        limits.maxConnections = 400
        throw CancellationError()
      }
      XCTAssertEqual(limits.maxConnections, 100)
    }
  }

  func testALaunchArgumentWinsAndIsNotStored() {
    let store = ServerDefaults()
    store.setVolatileDomain(["maxConnections": "7"], forName: UserDefaults.argumentDomain)
    let limits = LimitSettings(in: store)
    XCTAssertEqual(limits.maxConnections, 7)
    XCTAssertEqual(limits.$maxConnections.source, .launchArgument)
    XCTAssertFalse(limits.$maxConnections.isStored)
    limits.maxConnections = 200
    XCTAssertEqual(limits.maxConnections, 7)
    XCTAssertEqual(store.storedObject(forKey: "maxConnections") as? Int, 200)
  }

  func testAChangeOfTheServerIsHeard() async throws {
    try await withDeadline {
      let store = ServerDefaults()
      let limits = LimitSettings(in: store)
      var values = limits.$maxConnections.updates.makeAsyncIterator()
      var heard = [await values.next()]
      store.serverDidChange(["maxConnections": 5])
      XCTAssertEqual(limits.maxConnections, 5)
      heard.append(await values.next())
      XCTAssertEqual(heard, [100, 5])
    }
  }
}

// As the comment has it.

final class ServerDefaults: UserDefaults, DefaultsStore {
  private let lock = NSLock()
  private var values: [String: Any] = [:]
  private let listeners = DispatchQueue(label: "Listeners")

  init() {
    super.init(suiteName: "ServerDefaults.\(UUID())")!
  }

  func storedObject(forKey key: String) -> Any? {
    lock.withLock { values[key] }
  }

  override func object(forKey key: String) -> Any? {
    storedObject(forKey: key)
  }

  override func set(_ value: Any?, forKey key: String) {
    change(key, to: value)
  }

  override func removeObject(forKey key: String) {
    change(key, to: nil)
  }

  private func change(_ key: String, to value: Any?) {
    lock.withLock { values[key] = value }
    announceChange(of: [key])
    // Send the change to the server in the background.
  }

  /// Call this method when the server announces changes.
  func serverDidChange(_ changes: [String: Any]) {
    lock.withLock { values.merge(changes) { $1 } }
    announceChange(of: changes.keys) {
      listeners.async(execute: $0)
    }
  }
}

struct LimitSettings: SettingsGroup {
  @WrappedDefault("maxConnections") var maxConnections = 100
}
