internal import Foundation

/// A subclass of `UserDefaults`, which alone knows what it does. Only its open methods are called.
struct SubclassStore: StoreKind {
  var isCustom: Bool { true }

  func object(_ key: String, at layer: Layer, in userDefaults: UserDefaults) -> PropertyListObject?
  {
    switch layer {
    case .argument: userDefaults.argument(key)
    case .environment: nil
    case .stored: userDefaults.object(forKey: key).map(PropertyListObject.init)
    // Its registered defaults are its own, and cannot be told from what is stored.
    case .registered: nil
    }
  }

  func change(
    _ key: String, to object: PropertyListObject?, in userDefaults: UserDefaults,
    inside transaction: Transaction.ID?
  ) {
    userDefaults.put(object, forKey: key)
  }
}
