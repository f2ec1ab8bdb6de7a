internal import Foundation

extension Setting {
  /// Stores a value; nil removes the stored value.
  func write<V: UserDefaultsSerializable>(_ value: V?) {
    if let stored = encoded(value) { put(stored, as: V.self) }
  }

  /// Stores the value that a text stands for.
  func write<V: UserDefaultsSerializable>(_ type: V.Type, text: String) throws {
    guard let value = V(text: text), accepts(value) else {
      let fault = fault(in: PropertyListObject(text), as: type, found: "")
      throw DefaultsIssue.invalid(isSecret ? nil : text, fault, key: key)
    }
    put(Stored(object: try encodedForStoring(value)), as: type)
  }

  /// Removes the stored value.
  func reset() {
    put(Stored(object: nil), as: Bool.self)
  }

  /// The number of times that `withLock` tries, where other machines change the key.
  private static var tries: Int { 1000 }

  /// Reads the value, lets the body change it, and writes a changed value, all in one step.
  func withLock<V: UserDefaultsSerializable, R>(
    default defaultValue: V? = nil, _ body: (inout V?) throws -> R
  ) rethrows -> R {
    let nesting = Nesting(.withLock, in: store)
    convertStored(as: V.self)
    return try locked {
      var tries = 0
      while true {
        let revision = Result { try store.revision(state) }
        var value = storedValue() ?? defaultValue
        let old = try? Stored(object: value.map(Self.encode))
        let result = try nesting.run { try body(&value) }
        guard let new = encoded(value), new != old else { return result }
        do {
          if try put(new, as: V.self, ifStillAt: revision.get()) { return result }
          // Another machine has changed the key meanwhile.
          tries += 1
          if tries == Self.tries {
            throw Fault(description: "in \(tries) tries, another change came first each time")
          }
        } catch {
          (error as? DefaultsIssue ?? .notStored(key: key, error)).report()
          return result
        }
      }
    }
  }

  /// Returns the value beneath an override, because the override itself must not be stored.
  private func storedValue<V: UserDefaultsSerializable>() -> V? {
    resolve(layers.drop { $0 != .stored }.flatMap(candidates(at:)))?.value
  }

  /// Converts what is stored, so that no conversion, which is the program's, runs under a lock.
  private func convertStored<V: UserDefaultsSerializable>(as _: V.Type) {
    if declaration.origins?.conversions.isEmpty ?? true { return }
    let _: V? = firstValue(of: candidates(at: .stored))
  }

  /// Runs the body while no other thread changes the key or its former keys. The locks are taken in
  /// one order everywhere, because a key may be a former key of another one.
  private func locked<R>(_ body: () throws -> R) rethrows -> R {
    if formerKeys.isEmpty { return try state.locked(body) }
    return try Self.locked(
      ([state] + formerKeys).sorted { $0.key < $1.key }[...], body)
  }

  private static func locked<R>(
    _ states: ArraySlice<KeyState>, _ body: () throws -> R
  ) rethrows -> R {
    guard let first = states.first else { return try body() }
    return try first.locked { try locked(states.dropFirst(), body) }
  }
}

// MARK: - Changes

extension Setting {
  /// Stores an object, or removes it.
  func put<V: UserDefaultsSerializable>(_ new: Stored, as type: V.Type) {
    // Only a change at a revision can fail.
    _ = try? put(new, as: type, ifStillAt: nil)
  }

  /// Changes the key if it is still at a revision, where there is one, and removes the objects of
  /// former keys. An object that would be lost unread is kept under a key of its own, and a removal
  /// removes that one, too.
  ///
  /// - Returns: Whether the change is made.
  private func put<V: UserDefaultsSerializable>(
    _ new: Stored, as type: V.Type, ifStillAt revision: Int64?
  ) throws -> Bool {
    convertStored(as: V.self)
    return try locked {
      let copy = new.object == nil ? copyToRemove() : copyToKeep(as: type)
      let formerKeys = liveFormerKeys.filter {
        !store.backend.objects($0.key, at: .stored, in: userDefaults).isEmpty
      }
      let isMove = copy != nil || !formerKeys.isEmpty
      if isMove, revision == nil {
        move(to: new, keeping: copy, from: formerKeys)
      } else {
        // A change that may be refused is made by itself, and first: a transaction has no revisions.
        guard try store.change(state, to: new.object, ifStillAt: revision, in: userDefaults)
        else { return false }
        if isMove { move(to: nil, keeping: copy, from: formerKeys) }
      }
      last.noteReadable(atVersion: state.version)
      return true
    }
  }

  /// Makes several changes as one: of the key, of a copy, and of former keys.
  ///
  /// - Parameter new: What to store; nil if the key is changed already.
  private func move(to new: Stored?, keeping copy: Copy?, from formerKeys: [KeyState]) {
    Transaction.run(in: store, userDefaults) {
      if let copy { store.change(store.state(of: copy.name), to: copy.object, in: userDefaults) }
      // Before the former keys: a read finds one or the other.
      if let new { store.change(state, to: new.object, in: userDefaults) }
      for former in formerKeys { store.change(former, to: nil, in: userDefaults) }
    }
  }

  private typealias Copy = (name: String, object: PropertyListObject?)

  /// The name for an object that is kept when it is assigned over.
  var copyName: String { Self.copyName(of: key) }

  static func copyName(of key: String) -> String { "\(key).undecodable" }

  /// Whether an object may be kept: not a secret, and not if the program has the name for a setting.
  var keepsCopy: Bool { !isSecret && !store.keys.isDeclared(copyName) }

  /// The copy that is there, even of what has become a secret since.
  private func copyToRemove() -> Copy? {
    !store.keys.isDeclared(copyName) && known(copyName) != nil ? (copyName, nil) : nil
  }

  /// Returns the stored object if it is no value of the type, and can be stored again.
  ///
  /// To save time, it looks only if the object has changed since this declaration has read or
  /// assigned it.
  private func copyToKeep<V: UserDefaultsSerializable>(as type: V.Type) -> Copy? {
    guard !last.isReadable || state.hasReports else { return nil }
    var unread: Found?
    let own = known(key).map { [Found(layer: .stored, name: key, object: $0)] }
    for found in own ?? liveFormerKeys.flatMap({ candidates(named: $0.key, at: .stored) }) {
      if decode(found) as V? != nil { break }
      unread = unread ?? found
    }
    guard let unread else { return nil }
    report(unread, as: type)
    guard keepsCopy, !unread.object.isDeeper() else { return nil }
    return (try? PropertyListObject(validating: unread.object.object)).map { (copyName, $0) }
  }

  private func known(_ name: String) -> PropertyListObject? {
    store.backend.knownObject(name, in: userDefaults)
  }
}

// MARK: - Encoding

extension Fault {
  /// In place of the words of an error, which may name the value.
  static let secret = Self(description: "the reason may contain the secret")
}

extension Setting {
  /// Returns the stored form of a value; nil, and reported, if it has none.
  private func encoded<V: UserDefaultsSerializable>(_ value: V?) -> Stored? {
    guard let value else { return Stored(object: nil) }
    do {
      return Stored(object: try encodedForStoring(value))
    } catch {
      error.report()
      return nil
    }
  }

  /// Returns the stored form of a value that can be read back.
  func encodedForStoring<V: UserDefaultsSerializable>(
    _ value: V
  ) throws(DefaultsIssue) -> PropertyListObject {
    do {
      let object = try Self.encode(value)
      guard accepts(value) else { throw fault(in: object, as: V.self) }
      guard Self.readsBack(object, as: V.self) else {
        throw Fault(description: "its own init?(storedValue:) does not read it back")
      }
      return object
    } catch {
      // Its encoder may name the value.
      throw .unencodable(V.self, key: key, isSecret && !(error is Fault) ? Fault.secret : error)
    }
  }

  /// Whether a type reads back what it has stored. Primitives and `Codable` types do, and to check them
  /// would take time.
  static func readsBack<V: UserDefaultsSerializable>(
    _ object: PropertyListObject, as type: V.Type
  ) -> Bool {
    let isChecked = V.StoredValue.self != V.self && !(V.StoredValue.self is any JSONForm.Type)
    return !isChecked || decode(object) as V? != nil
  }

  static func encode<V: UserDefaultsSerializable>(_ value: V) throws -> PropertyListObject {
    let object = PropertyListObject(try value.storedValue.propertyListObject())
    if object.isDeeper() { throw Fault.tooDeep() }
    return object
  }
}
