import Foundation
import Observation
import Synchronization
import XCTest

@testable import TestSupport
@testable import TypedDefaults

private struct Settings: Sendable {
  @WrappedDefault<Int> var volume: Int
  @WrappedDefaultOptional<Int> var optional: Int?
  @WrappedDefault<Int> var other: Int

  init(_ userDefaults: UserDefaults) {
    _volume = WrappedDefault(
      keyName: "observedVolume", defaultValue: 4, userDefaults: userDefaults)
    _optional = WrappedDefaultOptional(keyName: "observedVolume", userDefaults: userDefaults)
    _other = WrappedDefault(keyName: "observedOther", defaultValue: 0, userDefaults: userDefaults)
  }
}

extension UserDefaults.Key where Value == Int {
  fileprivate static var observedVolume: Self { .init() }
}

/// What an observer has noted.
private final class Notes: Sendable {
  private let values = TestMutex<[Int]>([])
  var all: [Int] { values.withLock { $0 } }
  func add(_ value: Int) { values.withLock { $0.append(value) } }
}

final class ObservationTests: XCTestCase {
  func testObserverHearsEachSourceOnceWithTheNewValueInMemory() throws {
    let suite = try makeSuiteName()
    let userDefaults = UserDefaults(suiteName: suite)!
    let other = Settings(UserDefaults(suiteName: suite)!)
    let settings = Settings(userDefaults)
    nonisolated(unsafe) let raw = userDefaults
    let reads: [(name: String, read: @Sendable () -> Int?)] = [
      ("wrapper", { settings.volume }),
      ("optional wrapper", { settings.optional }),
      ("typed key", { raw.value(for: .observedVolume) }),
    ]
    let sources: [(name: String, change: () -> Void, value: Int?)] = [
      ("wrapper", { settings.volume = 5 }, 5),
      ("another wrapper", { other.optional = 6 }, 6),
      ("typed key", { raw.set(7, for: .observedVolume) }, 7),
      ("withLock", { settings.$volume.withLock { $0 += 1 } }, 8),
      ("reset", { other.$volume.reset() }, nil),
      (
        "setPersistentDomain",
        { raw.setPersistentDomain(["observedVolume": 9], forName: suite) }, 9
      ),
      (
        "removePersistentDomain", { raw.removePersistentDomain(forName: suite) }, nil
      ),
      (
        "announced change",
        {
          raw.set(10, forKey: "observedVolume")
          Store.of(raw).state(of: "observedVolume").announceChange()
        }, 10
      ),
    ]
    for (reader, read) in reads {
      for (source, change, value) in sources {
        let notes = Notes()
        // It goes on observing, so that a change told twice is seen.
        @Sendable func observe() {
          withObservationTracking {
            _ = read()
          } onChange: {
            notes.add(read() ?? -1)
            if notes.all.count < 3 { observe() }
          }
        }
        // Else what Foundation itself has just saved might be taken for another process's change.
        try raw.flush()
        DefaultsIssue.waitForReports()
        observe()
        change()
        // The thread that tells of files may be the one that tells of this.
        DefaultsIssue.waitForReports()
        // A typed key and the wrapper with a default read that; the optional one reads nil.
        let expected = value ?? (reader == "optional wrapper" ? -1 : 4)
        // Foundation writes the file in those calls: that may be heard before its notification.
        let heard = source.hasSuffix("PersistentDomain") ? Array(Set(notes.all)) : notes.all
        XCTAssertEqual(heard, [expected], "\(reader), \(source)")
      }
    }
  }

  func testObserverIsNotToldOfOtherKeys() {
    let settings = Settings(.inMemory())
    let notes = Notes()
    withObservationTracking {
      _ = settings.volume
    } onChange: {
      notes.add(settings.volume)
    }
    settings.other = 1
    XCTAssertEqual(notes.all, [])
    settings.volume = 5
    XCTAssertEqual(notes.all, [5])
  }

  #if os(Linux)
    func testARawSetOfFoundationsStoreIsReadAndNotTold() throws {
      let userDefaults = try makeSuite()
      let settings = Settings(userDefaults)
      let notes = Notes()
      withObservationTracking {
        _ = settings.volume
      } onChange: {
        notes.add(1)
      }
      userDefaults.set(7, forKey: "observedVolume")
      XCTAssertEqual(settings.volume, 7)
      XCTAssertEqual(notes.all, [])
      settings.$volume.reset()
    }
  #endif

  func testUpdatesAreNotTrackedByWhoeverTracks() async {
    let settings = Settings(.inMemory())
    let notes = Notes()
    withObservationTracking {
      _ = settings.$volume.updates.makeAsyncIterator()
      _ = settings.$volume.key
      settings.volume = 6
    } onChange: {
      notes.add(settings.volume)
    }
    settings.volume = 5
    XCTAssertEqual(notes.all, [])
  }

  func testSettingIsReadAndSetInItsOwnObserver() throws {
    for userDefaults in [.inMemory(), UserDefaults(suiteName: try makeSuiteName())!] {
      let settings = Settings(userDefaults)
      let notes = Notes()
      let isEnded = Atomic(false)
      @Sendable func clamp() {
        withObservationTracking {
          _ = settings.volume
        } onChange: {
          if isEnded.load(ordering: .relaxed) { return }
          clamp()
          notes.add(settings.volume)
          if settings.volume > 10 { settings.volume = 10 }
          settings.$other.withLock { $0 += 1 }
        }
      }
      clamp()
      settings.volume = 15
      XCTAssertEqual(settings.volume, 10)
      XCTAssertEqual(notes.all, [15, 10])
      XCTAssertEqual(settings.other, 2)
      isEnded.store(true, ordering: .relaxed)
    }
  }

  func testSeveralChangesUnderOneLockAreToldOnceAfterIt() {
    let settings = Settings(.inMemory())
    let notes = Notes()
    @Sendable func observe() {
      withObservationTracking {
        _ = (settings.volume, settings.other)
      } onChange: {
        observe()
        notes.add(settings.volume + settings.other)
      }
    }
    observe()
    settings.$volume.withLock {
      settings.volume = 1
      settings.optional = 2
      $0 = 3
      XCTAssertEqual(notes.all, [])
    }
    XCTAssertEqual(notes.all, [3])
  }

  /// Observation takes an observer off its list once it has returned.
  func testObserverThatAlwaysSetsItsSettingIsCalledOnce() throws {
    for userDefaults in [.inMemory(), UserDefaults(suiteName: try makeSuiteName())!] {
      let settings = Settings(userDefaults)
      let notes = Notes()
      withObservationTracking {
        _ = settings.volume
      } onChange: {
        notes.add(settings.volume)
        settings.volume += 1
      }
      settings.volume = 20
      XCTAssertEqual(notes.all, [20])
      XCTAssertEqual(settings.volume, 21)
    }
  }

  /// Observation takes an observer off its list only when it has been called, so that until then
  /// another thread would call it again.
  func testAnObserverThatIsJustBeingCalledIsNotCalledAgainByAnotherThread() {
    let settings = Settings(.inMemory())
    let notes = Notes()
    @Sendable func observe() {
      let volume = withObservationTracking {
        settings.volume
      } onChange: {
        observe()
        guard notes.all.last == 1 else { return }
        let isSet = DispatchSemaphore(value: 0)
        Thread {
          settings.volume = 2
          isSet.signal()
        }.start()
        isSet.wait()
      }
      notes.add(volume)
    }
    observe()
    settings.volume = 1
    XCTAssertEqual(notes.all, [4, 1, 2])
    settings.volume = 3
    XCTAssertEqual(notes.all, [4, 1, 2, 3])
  }

  func testNoLockIsHeldWhileAnObserverRuns() {
    let settings = Settings(.inMemory())
    let hasChanged = expectation(description: "another thread has changed the setting")
    let isFirst = Atomic(true)
    withObservationTracking {
      _ = settings.volume
    } onChange: {
      guard isFirst.exchange(false, ordering: .relaxed) else { return }
      let changed = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        settings.$volume.withLock { $0 += 1 }
        changed.signal()
      }
      XCTAssertEqual(changed.wait(timeout: .now() + 60), .success)
      hasChanged.fulfill()
    }
    settings.$volume.withLock { $0 = 20 }
    wait(for: [hasChanged], timeout: 0)
    XCTAssertEqual(settings.volume, 21)
  }

  #if compiler(>=6.2)
    func testObservationsSequenceHearsChanges() async throws {
      guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
      let settings = Settings(.inMemory())
      try await withDeadline {
        var values = Observations { settings.volume }.makeAsyncIterator()
        var heard = [await values.next()]
        for value in 5...7 {
          settings.volume = value
          heard.append(await values.next())
        }
        XCTAssertEqual(heard, [4, 5, 6, 7])
      }
    }
  #endif

  /// A subclass whose values change by themselves, as a server's do, tells of it by the notification.
  func testChangeNotificationOfASubclassIsHeard() {
    final class Server: UserDefaults {
      var value = 1
      override func object(forKey key: String) -> Any? { value }
      override func register(defaults registrationDictionary: [String: Any]) {}
    }
    let server = Server(suiteName: "TypedDefaultsTests.\(UUID())")!
    let settings = Settings(server)
    let notes = Notes()
    withObservationTracking {
      _ = settings.volume
    } onChange: {
      notes.add(settings.volume)
    }
    server.value = 2
    NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: server)
    XCTAssertEqual(notes.all, [2])
  }
}
