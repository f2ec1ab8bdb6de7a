import Foundation
import TypedDefaults

/// Replaces the file of a store, as another process does.
final class OtherProcess {
  private struct NotTold: Error {}

  private let store: UserDefaults
  private let file: URL
  private let beat: WrappedDefault<Int>
  private let isTold = DispatchSemaphore(value: 0)
  private let observation: SettingObservation

  init(_ store: UserDefaults, seed: Int) {
    self.store = store
    file = store.fileURL!
    beat = WrappedDefault(wrappedValue: 0, "beat", userDefaults: store)
    observation = beat.onChange { [isTold] _, _ in isTold.signal() }
  }

  /// Returns when the store has taken in the objects and told its listeners.
  func save(_ objects: [String: Object?]) throws {
    try store.flush()
    try replaceFile(with: objects)
    try waitUntilTaken()
  }

  func replaceFile(with objects: [String: Object?]) throws {
    try replace { contents in
      for (key, object) in objects { contents[key] = object?.any }
    }
  }

  /// What is told of a later change comes after all that is told before.
  func waitUntilTaken() throws {
    try store.flush()
    try replace { $0["beat"] = beat.wrappedValue + 1 }
    try store.flush()
    guard isTold.wait(timeout: .now() + 10) == .success else { throw NotTold() }
  }

  private func replace(_ change: (inout [String: Any]) -> Void) throws {
    let data = try? Data(contentsOf: file)
    var contents =
      try data.map {
        try PropertyListSerialization.propertyList(from: $0, format: nil) as! [String: Any]
      } ?? [:]
    change(&contents)
    try PropertyListSerialization.data(fromPropertyList: contents, format: .xml, options: 0)
      .write(to: file, options: .atomic)
  }
}
