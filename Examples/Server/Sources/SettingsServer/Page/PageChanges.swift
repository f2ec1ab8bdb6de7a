import Foundation
import Synchronization
import TypedDefaults

/// Wakes the open pages when something has changed, by this program or another one.
final class PageChanges: Sendable {
  private struct Listeners {
    var last = 0
    var all: [Int: AsyncStream<Void>.Continuation] = [:]
  }

  static let maximumCount = 100
  private let listeners = Mutex(Listeners())
  private let observations = Mutex<[SettingObservation]>([])
  private let observer = Mutex<Observer?>(nil)

  /// What Foundation calls; it is only given back.
  private struct Observer: @unchecked Sendable {
    let token: any NSObjectProtocol
  }

  init(of settings: [any DeclaredSetting]) {
    func observe(_ setting: some DeclaredSetting) -> SettingObservation {
      setting.onChange { [weak self] _, _ in self?.wake() }
    }
    let observations = settings.map { observe($0) }
    self.observations.withLock { $0 = observations }
    // Also for what changes no value, such as an unknown key, or a stored value equal to the
    // default.
    let observer = Observer(
      token: NotificationCenter.default.addObserver(
        forName: UserDefaults.didChangeNotification, object: nil, queue: nil
      ) { [weak self] _ in self?.wake() })
    self.observer.withLock { $0 = observer }
  }

  deinit {
    observer.withLock { $0 }.map { NotificationCenter.default.removeObserver($0.token) }
  }

  func wake() {
    for listener in listeners.withLock({ Array($0.all.values) }) { listener.yield() }
  }

  /// Wake-ups for one page, the first one at once.
  struct WakeUps: Sendable {
    let stream: AsyncStream<Void>
    fileprivate let listener: AsyncStream<Void>.Continuation

    func finish() { listener.finish() }
  }

  /// Returns wake-ups until the task ends. Returns `nil` if too many pages are open.
  func listen() -> WakeUps? {
    let (stream, listener) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number: Int? = listeners.withLock { listeners in
      guard listeners.all.count < Self.maximumCount else { return nil }
      listeners.last += 1
      listeners.all[listeners.last] = listener
      return listeners.last
    }
    guard let number else { return nil }
    listener.onTermination = { [weak self] _ in
      self?.listeners.withLock { _ = $0.all.removeValue(forKey: number) }
    }
    listener.yield()
    return WakeUps(stream: stream, listener: listener)
  }
}
