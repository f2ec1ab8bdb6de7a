internal import Foundation
internal import Synchronization

/// A subclass of `UserDefaults`, which keeps settings somewhere else.
final class SubclassBackend: Backend, @unchecked Sendable {  // As `SendableDefaults` is.
  /// What the library has registered. A subclass of its own memory returns it like a stored object,
  /// or not, if something hides it.
  private let registered = Mutex<[String: PropertyListObject]>([:])

  init(_ userDefaults: UserDefaults) {
    super.init(
      layers: [.argument, .environment, .stored, .registered],
      subclass: userDefaults as? any DefaultsStore)
  }

  override func objects(_ key: String, at layer: Layer, in userDefaults: UserDefaults)
    -> [PropertyListObject]
  {
    let registered = registered.withLock { $0[key] }
    if layer == .registered {
      // The subclass returns its registered defaults only where there is nothing else.
      if subclass != nil, stored(key) == nil, userDefaults.argument(key) == nil {
        return userDefaults.object(forKey: key).map { [PropertyListObject($0)] } ?? []
      }
      if subclass != nil || registered != nil { return registered.map { [$0] } ?? [] }
    }
    return userDefaults.objects(key, at: layer) {
      if subclass != nil { return stored(key) }
      // What the subclass stores is unknown. The registered default, or an argument, is not it.
      let visible = userDefaults.object(forKey: key).map(PropertyListObject.init)
      let isStored = visible != registered && !userDefaults.mayHide(key, visible)
      let stored = isStored ? visible : nil
      noteFound(stored, key)
      return stored
    }
  }

  private func stored(_ key: String) -> PropertyListObject? {
    subclass?.storedObject(forKey: key).map(PropertyListObject.init)
  }

  override func register(_ defaults: [String: Any], in userDefaults: UserDefaults) {
    registered.withLock { $0.merge(defaults.mapValues { PropertyListObject($0) }) { $1 } }
    userDefaults.register(defaults: defaults)
  }

  // MARK: Changing

  override func put(_ object: PropertyListObject?, _ key: String, in userDefaults: UserDefaults)
    -> Bool?
  {
    let old = stored(key)
    userDefaults.put(object, forKey: key)
    return subclass == nil ? nil : stored(key) != old
  }
}
