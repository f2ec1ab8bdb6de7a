internal import Foundation
internal import Synchronization

/// A store whose truth is in a memory of our own, saved or not.
final class MemoryStore: StoreKind {
  private struct Contents {
    var arguments: [String: PropertyListObject] = [:]
    var stored: [String: PropertyListObject] = [:]
    var registered: [String: PropertyListObject] = [:]

    subscript(layer: Layer) -> [String: PropertyListObject] {
      switch layer {
      case .argument: arguments
      case .stored: stored
      case .registered: registered
      }
    }
  }

  private let contents = Mutex(Contents())

  var hearsEveryChange: Bool { true }

  func visibleObject(_ key: String, in _: UserDefaults) -> (object: Any, layer: Layer?)? {
    contents.withLock { contents in
      for layer in Layer.allCases {
        if let object = contents[layer][key] { return (object.object, layer) }
      }
      return nil
    }
  }

  func object(_ key: String, at layer: Layer, in _: UserDefaults) -> PropertyListObject? {
    contents.withLock { $0[layer][key] }
  }

  func change(_ key: String, to object: PropertyListObject?, in _: UserDefaults) {
    contents.withLock { $0.stored[key] = object }
  }

  func flush(_: UserDefaults) {}

  func register(_ objects: [String: PropertyListObject]) {
    contents.withLock { $0.registered.merge(objects) { $1 } }
  }

  /// What the accessors find.
  var visibleObjects: [String: PropertyListObject] {
    contents.withLock { contents in
      contents.registered.merging(contents.stored) { $1 }.merging(contents.arguments) { $1 }
    }
  }
}
