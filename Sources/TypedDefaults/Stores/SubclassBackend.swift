internal import Foundation

/// A subclass of `UserDefaults`, which keeps settings somewhere else.
struct SubclassBackend: Backend, @unchecked Sendable {  // As `SharedUserDefaults` is.
  /// The subclass, if it works with the library. Unowned, because the caller of each method retains
  /// the instance.
  private unowned(unsafe) let store: (any DefaultsStore)?

  init(_ userDefaults: UserDefaults) {
    store = userDefaults as? any DefaultsStore
  }

  var hearsEveryChange: Bool { store != nil }

  func objects(_ key: String, at layer: Layer, in userDefaults: UserDefaults)
    -> [PropertyListObject]
  {
    func stored() -> PropertyListObject? {
      if let store { return store.storedObject(forKey: key).map(PropertyListObject.init) }
      let visible = userDefaults.object(forKey: key)
      // What the subclass stores is unknown. The registered default, or an argument, is not it.
      return userDefaults.storedObject(key, visible: visible) { nil }
    }
    if layer == .registered, store != nil {
      // The subclass returns its registered defaults only where there is nothing else.
      guard stored() == nil, userDefaults.argument(key) == nil else { return [] }
      return userDefaults.object(forKey: key).map { [PropertyListObject($0)] } ?? []
    }
    return userDefaults.objects(key, at: layer, stored: stored)
  }

  func revision(_ key: String) throws -> Int64? { try store?.revision(forKey: key) }

  func change(
    _ key: String, to object: PropertyListObject?, ifStillAt revision: Int64
  ) throws -> Bool {
    try store?.setObject(object?.object, forKey: key, ifStillAt: revision) ?? false
  }

  var notesReads: Bool { store != nil }

  func exclusively(
    in userDefaults: UserDefaults, _ body: (_ commit: Transaction.Commit) throws -> Void
  ) throws {
    guard let store else { return try body { _ in } }
    try store.runExclusively { try body { _ in } }
  }

  func begin(in userDefaults: UserDefaults) { store?.beginTransaction() }

  func finish(in userDefaults: UserDefaults) { store?.endTransaction() }

  func flush(_ userDefaults: UserDefaults) throws {
    if let store { return try store.saveChanges() }
    guard userDefaults.synchronize() else { throw DefaultsIssue.notSynchronized }
  }
}
