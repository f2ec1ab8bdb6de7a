internal import Foundation

extension Setting {
  /// The key of exported data that says whose it is. No setting has it.
  static let reservedKey = "TypedDefaults"

  /// A stored object as an export holds it.
  struct Exported {
    let name: String
    let object: PropertyListObject
    /// Whether it can be decoded.
    let isReadable: Bool
  }

  /// Returns the stored object for an export: the first that can be decoded, else the first. It has the
  /// present key. Where it is to be converted, it has today's form, or its own key if it cannot be.
  ///
  /// - Throws: A `Fault` if a property list cannot hold it.
  func exported<V: UserDefaultsSerializable>(as type: V.Type) throws -> Exported? {
    let stored = candidates(at: .stored)
    let read = stored.first { decode($0) as V? != nil }
    guard let found = read ?? stored.first else { return nil }
    var (name, object) = (key, found.object)
    if conversion(of: found) != nil {
      if let value: V = decode(found) { object = try Self.encode(value) } else { name = found.name }
    }
    return Exported(name: name, object: try object.withFractionsAsText(), isReadable: read != nil)
  }

  /// Returns the objects that imported data has for the setting. An export of an older version has
  /// those of former keys.
  private func objects(in contents: PreferencesContents) -> [Found] {
    func found(_ name: String) -> [Found] {
      contents[name].map { [Found(layer: .stored, name: name, object: $0)] } ?? []
    }
    let own = found(key)
    return own.isEmpty ? liveFormerKeys.flatMap { found($0.key) } : own
  }

  /// What an import does to a setting.
  struct Import {
    /// The name under which the data has an object for it; nil if the data has none, or it is left out.
    var name: String?
    /// What to store; nil where the stored object stays.
    var new: Stored?
    /// What stays, and is to be saved.
    var raw: PropertyListObject?
    /// Why the object in the data is left out.
    var issue: DefaultsIssue?
  }

  /// Returns what an import does. An object that equals the stored one stays, even if it cannot be decoded.
  ///
  /// - Parameter unreadable: The names of those objects that the export could not decode either.
  /// - Throws: A ``DefaultsIssue`` if no object is a value of the type, or it cannot be stored.
  func imported<V: UserDefaultsSerializable>(
    from contents: PreferencesContents, unreadable: [String], as type: V.Type
  ) throws -> Import {
    let objects = objects(in: contents)
    guard let first = objects.first else { return Import(new: Stored(object: nil)) }
    let isConverted = conversion(of: first) != nil
    let present = try? exported(as: type)
    if let present, present.name == (isConverted ? first.name : key),
      contents.holds(present.object, for: first.name)
    {
      return Import(name: first.name, raw: rawObject)
    }
    for found in objects {
      guard let value: V = decode(found) else { continue }
      return Import(name: found.name, new: Stored(object: try encodedForStoring(value)))
    }
    let read: Any.Type = conversion(of: first)?.old ?? type
    let reason = "\"\(first.name)\" cannot be read as \(read): \(fault(of: first, as: type))"
    if unreadable.contains(first.name) { return Import(issue: .leftOut(reason, key: key)) }
    throw DefaultsIssue.notImported(reason, key: key)
  }

  /// The stored object, if the store has a file and it is not in it, because a raw call has set it.
  private var rawObject: PropertyListObject? {
    guard let found = candidates(at: .stored).first, found.name == key, store.backend.path != nil
    else { return nil }
    return store.backend.path(of: found.object, key, at: .stored) == nil ? found.object : nil
  }

  /// Makes an import's change.
  func apply(_ change: Import) {
    if let new = change.new { put(new, as: declaration.type) }
    if let raw = change.raw { store.change(state, to: raw, in: userDefaults) }
  }

  /// Returns the keys of stored objects under the prefix of a group that none of its settings has.
  static func unknownKeys(of group: Any.Type, _ settings: [Setting]) -> [String] {
    let place = GroupPlace.of(group, settings)
    let store = Store.of(place.userDefaults)
    let members = settings.filter { $0.store === store }
    if members.isEmpty { return [] }
    let names = members.flatMap { [$0.key] + $0.formerKeys.map(\.key) }
    let known = Set(names + names.map(copyName(of:)))
    return store.backend.storedObjects(in: place.userDefaults).keys.filter { key in
      key.utf8.starts(with: place.prefix.utf8) && !known.contains(key)
        && !["NS", "Apple", "com.apple."].contains(where: key.hasPrefix)
    }.sorted()
  }

  /// Runs a body as a transaction of each setting's store.
  static func transaction<R>(of settings: [Setting], _ body: () throws -> R) rethrows -> R {
    guard let first = settings.first else { return try body() }
    return try Transaction.run(in: first.store, first.userDefaults) {
      try transaction(of: settings.filter { $0.store !== first.store }, body)
    }
  }

  /// Runs a body as a transaction of each setting's store, while nobody else comes between.
  static func exclusively<R>(of settings: [Setting], _ body: () throws -> R) throws -> R {
    guard let first = settings.first else { return try body() }
    return try first.store.exclusively(in: first.userDefaults) {
      try exclusively(of: settings.filter { $0.store !== first.store }, body)
    }
  }

  /// Saves each setting's store, the others too if one cannot be saved.
  static func flush(_ settings: [Setting]) throws {
    guard let first = settings.first else { return }
    let result = Result { try first.store.flush(in: first.userDefaults) }
    let others = Result { try flush(settings.filter { $0.store !== first.store }) }
    try result.get()
    try others.get()
  }
}

extension PropertyListObject {
  /// The object as an export holds it: a date with a fraction of the second, for which the XML
  /// format has no place, is text that is read as the same date.
  ///
  /// - Throws: A `Fault` if a property list cannot hold it.
  func withFractionsAsText() throws -> Self {
    try Self(validating: object) { date in
      date == date.inWholeSeconds ? date : date.text ?? date as Any
    }
  }
}
