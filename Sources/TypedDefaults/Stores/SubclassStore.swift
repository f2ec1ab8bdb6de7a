internal import Foundation

/// A subclass of `UserDefaults` that the library does not know. It calls only open methods.
struct SubclassStore: StoreKind {
  var isCustom: Bool { true }

  func object(_ key: String, at layer: Layer, in userDefaults: UserDefaults) -> PropertyListObject?
  {
    switch layer {
    case .argument: userDefaults.argument(key)
    case .environment: nil
    case .stored: userDefaults.object(forKey: key).map(PropertyListObject.init)
    // Registered defaults of the subclass cannot be told from stored objects.
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

/// A subclass of `UserDefaults` that announces each of its changes.
struct TellingSubclassStore: StoreKind, @unchecked Sendable {  // As `SharedUserDefaults` is.
  /// Unowned, because the caller of each method retains the instance.
  unowned let subclass: any DefaultsStore

  var isCustom: Bool { true }

  func visibleObject(_ key: String, in userDefaults: UserDefaults, layer: inout Layer?) -> Any? {
    let object = userDefaults.object(forKey: key)
    // Asked second: an object that is stored meanwhile is announced later.
    if object != nil {
      let isRegistered =
        subclass.storedObject(forKey: key) == nil && userDefaults.argument(key) == nil
      layer = isRegistered ? .registered : .stored
    }
    return object
  }

  func object(_ key: String, at layer: Layer, in userDefaults: UserDefaults) -> PropertyListObject?
  {
    switch layer {
    case .argument: userDefaults.argument(key)
    case .environment: nil
    case .stored: subclass.storedObject(forKey: key).map(PropertyListObject.init)
    // The subclass returns its registered defaults only where there is nothing else.
    case .registered:
      subclass.storedObject(forKey: key) == nil && userDefaults.argument(key) == nil
        ? userDefaults.object(forKey: key).map(PropertyListObject.init) : nil
    }
  }

  func change(
    _ key: String, to object: PropertyListObject?, in userDefaults: UserDefaults,
    inside transaction: Transaction.ID?
  ) {
    userDefaults.put(object, forKey: key)
  }

  func revision(_ key: String) throws -> Int64? { try subclass.revision(forKey: key) }

  func change(
    _ key: String, to object: PropertyListObject?, ifStillAt revision: Int64
  ) throws -> Bool {
    try subclass.setObject(object?.object, forKey: key, ifStillAt: revision)
  }

  func begin(_ transaction: Transaction.ID, in userDefaults: UserDefaults) {
    subclass.beginTransaction()
  }

  func end(_ transaction: Transaction.ID, in userDefaults: UserDefaults) {
    subclass.endTransaction()
  }

  func flush(_ userDefaults: UserDefaults) throws { try subclass.saveChanges() }
}
