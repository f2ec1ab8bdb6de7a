import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

/// What *Changing settings between versions* says of a setting that becomes two.
final class SplitSettingTests: XCTestCase {
  private struct Server: Codable, UserDefaultsSerializable {
    var host: String
    var port: Int
  }

  private struct Settings: SettingsGroup {
    @WrappedDefault("host", formerly: .init("server") { (old: Server) in old.host })
    var host = "localhost"
    @WrappedDefault("port", formerly: .init("server") { (old: Server) in old.port })
    var port = 80
  }

  func testBothAreKeptIfTheyAreAssignedInOneTransaction() {
    let stored = ["server": #"{"host":"a","port":1}"#]
    let settings = Settings(in: .inMemory(stored))
    let (host, port) = (settings.host, settings.port)
    settings.transaction { (settings.host, settings.port) = (host, port) }
    XCTAssertEqual(settings.host, "a")
    XCTAssertEqual(settings.port, 1)
    XCTAssertEqual(settings.unknownKeys, [])

    let other = Settings(in: .inMemory(stored))
    other.host = "b"
    XCTAssertEqual(other.port, 80)
  }
}

#if !TYPED_DEFAULTS_PLATFORM_SAVES
  /// Sentences of *Saving on Linux* and *Changing settings between versions* on raw calls, each by a
  /// program.
  final class SentenceTests: XCTestCase {
    private struct Programs {
      let path: String
      let home: TemporaryFolder

      func callAsFunction(_ arguments: String...) throws -> [String] {
        let ran = try ChildProcess(arguments, in: home, program: path).wait(until: .now() + 60)
        XCTAssertEqual(ran.end, .exit(0), ran.errors)
        return ran.output
      }
    }

    private func build() throws -> Programs {
      try Programs(
        path: Compiler.program(
          """
          import Foundation
          import TypedDefaults

          struct Settings: SettingsGroup {
            @WrappedDefault("volume") var volume = 4
          }

          DefaultsIssue.setHandler { _ in }
          let folder = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"]!
          func stores(_ name: String) -> [UserDefaults] {
            [UserDefaults(suiteName: name)!, .saved(suiteName: name + "2")]
          }

          switch CommandLine.arguments[1] {
          case "copies":
            for store in stores("copies") {
              let settings = Settings(in: store)
              let changes: [() -> Void] = [
                { settings.volume = 7 }, { settings.$volume.reset() },
                { settings.volume = 7; _ = settings.volume },
              ]
              for change in changes {
                store.removeObject(forKey: "volume.undecodable")
                change()
                store.set("loud", forKey: "volume")
                settings.volume = 8
                print(store.object(forKey: "volume.undecodable") ?? "none")
              }
            }
          case "reset":
            for store in stores(folder + "/suite") {
              let settings = Settings(in: store)
              settings.$volume.reset()
              print(settings.volume)
              settings.volume = 9
              try store.flush()
            }
          case "domain":
            func replace(_ name: String, of store: UserDefaults) {
              let settings = Settings(in: store)
              settings.volume = 7
              let observation = settings.$volume.onChange { print("observed", $1) }
              store.setPersistentDomain(["volume": 9], forName: name)
              print(settings.volume)
              observation.cancel()
            }
            let name = ProcessInfo.processInfo.processName
            replace(name, of: .standard)
            UserDefaults.standard.removePersistentDomain(forName: name)
            print(Settings(in: .standard).volume)
            replace("suite", of: UserDefaults(suiteName: "suite")!)
            replace("saved", of: .saved(suiteName: "saved"))
          case "assign":
            Settings(in: .standard).volume = 9
          case "removals":
            let store = UserDefaults.standard
            let settings = Settings(in: store)
            if CommandLine.arguments.count != 4 { settings.volume = 9 }
            if CommandLine.arguments.count == 2 { store.register(defaults: ["volume": 9]) }
            store.removeObject(forKey: "volume")
            print(settings.volume, settings.$volume.isStored)
            store.removeVolatileDomain(forName: UserDefaults.argumentDomain)
            print(settings.volume, settings.$volume.isStored)
            print(settings.snapshot().volume)
            print(settings.volume, settings.$volume.isStored)
          default:
            UserDefaults.standard.set(5, forKey: "raw")
            if CommandLine.arguments[1] == "synchronize" { UserDefaults.standard.synchronize() }
          }
          """, in: makeTemporaryFolder(), options: ["-swift-version", "6"]),
        home: TemporaryFolder())
    }

    func testAWrongValueRightAfterAnAssignmentOrAResetIsNotCopiedOnFoundationsStores() throws {
      XCTAssertEqual(try build()("copies"), ["none", "none", "loud", "loud", "loud", "loud"])
    }

    func testAResetOfAFoundationSuiteByAPathStillShowsWhatIsInTheFile() throws {
      let run = try build()
      XCTAssertEqual(try run("reset"), ["4", "4"])
      XCTAssertEqual(try run("reset"), ["9", "4"])
    }

    /// By the program's name on `.standard`, with which the output begins, they may or may not.
    func testDomainCallsByTheNameOfASuiteChangeItsSettings() throws {
      XCTAssertEqual(
        try build()("domain").suffix(4), ["observed 9", "9", "observed 9", "9"])
    }

    func testARawRemovalBeneathAnArgumentAppliesWhenTheArgumentIsGone() throws {
      let run = try build()
      _ = try run("assign")
      XCTAssertEqual(
        try run("removals", "-volume", "6"), ["6 true", "4 false", "4", "4 false"])
    }

    func testARawRemovalOfWhatOtherCodeHasRegisteredAppliesAtTheNextSnapshot() throws {
      // A save at the same moment may have found it before.
      XCTAssertEqual(try build()("removals").suffix(2), ["4", "4 false"])
    }

    func testFoundationSavesARawSetWhenItIsToldTo() throws {
      let run = try build()
      _ = try run("set")
      XCTAssertNil(try? run.home.contents(ofPlist: "program"))
      _ = try run("synchronize")
      XCTAssertEqual(try run.home.contents(ofPlist: "program") as? [String: Int], ["raw": 5])
    }
  }
#endif
