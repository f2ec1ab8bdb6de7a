internal import Foundation

extension Setting {
  /// Returns the stored object, if it can be decoded.
  func exported<V: UserDefaultsSerializable>(as type: V.Type) -> PropertyListObject? {
    for found in objects(at: .stored) where decode(found) as V? != nil {
      return (Self.decode(found.object) as V?) == nil ? completed(found, as: type) : found.object
    }
    return nil
  }

  /// Returns the stored form of an imported object.
  ///
  /// - Throws: A ``DefaultsIssue`` if the object is no value of the type, or cannot be stored.
  func imported<V: UserDefaultsSerializable>(
    _ found: Found, as type: V.Type
  ) throws -> PropertyListObject {
    guard let value: V = decode(found) else {
      throw DefaultsIssue.notImported(found, as: type, key: key)
    }
    return try encodedForStoring(value)
  }

  /// Stores an imported object; nil removes the stored one.
  func store<V: UserDefaultsSerializable>(_ object: PropertyListObject?, as type: V.Type) {
    if object != nil || !objects(at: .stored).isEmpty { put(Stored(object), as: type) }
  }

  /// Runs a body as a transaction of each setting's store.
  static func transaction(of settings: [Setting], _ body: () -> Void) {
    guard let first = settings.first else { return body() }
    Transaction.run(in: first.store, first.userDefaults) {
      transaction(of: settings.filter { $0.store !== first.store }, body)
    }
  }
}
