extension Model {
  struct Setting {
    var key: String
    var type: ValueType
    var `default`: Object?
    var formerKeys: [String] = []
    var conversions: [String: Conversion] = [:]
    var variable: String?
    var isSecret = false
    var isTypedKey = false
    /// The own key, then those former ones that are no other setting's own.
    var names: [String] = []

    /// Returns the value of an object. A stored one takes members that it lacks from the default.
    func decoded(_ found: Found, isStored: Bool = false) -> Object? {
      if let conversion = conversions[found.name] {
        return conversion.old.decoded(found.object).flatMap(conversion.convert)
          .flatMap(type.decoded)
      }
      let members = isStored ? `default` : nil
      return type.decoded(found.object)
        ?? members.flatMap { type.decoded(found.object, withMembersOf: $0) }
    }
  }

  /// How what lies under a former key is read.
  struct Conversion {
    let old: ValueType
    let convert: (Object) -> Object?
  }

  typealias Found = (name: String, object: Object)

  struct Export {
    var objects: [String: Object] = [:]
    /// The keys of those that are no values.
    var unreadable: Set<String> = []
  }
}
