import Configuration
import Foundation
import TypedDefaults

/// How a provider finds and reads the object of a key.
struct Lookup: Sendable {
  let providerName: String
  let prefix: String
  private let secrets: SecretsSpecifier<String, ConfigContent>
  private let encodeKey: @Sendable (AbsoluteConfigKey) -> String

  init(
    prefix: String, secrets: SecretsSpecifier<String, ConfigContent>,
    encodeKey: @escaping @Sendable (AbsoluteConfigKey) -> String
  ) {
    // Kept, because a reader asks for it at each read.
    providerName = "DefaultsProvider[\(prefix)]"
    self.prefix = prefix
    self.secrets = secrets
    self.encodeKey = encodeKey
  }

  /// Returns the value of a key.
  ///
  /// - Parameter object: Returns the object of a key in the store.
  func value(
    forKey key: AbsoluteConfigKey, type: ConfigType, in object: (String) -> Any?
  ) throws -> LookupResult {
    let name = prefix.isEmpty ? encodeKey(key) : prefix + encodeKey(key)
    guard let found = Self.find(name, in: object) else {
      return LookupResult(encodedKey: name, value: nil)
    }
    guard let content = ConfigContent(found, as: type) else {
      return try Self.refuse(key, type)
    }
    let isSecret = secrets.isSecret(key: name, value: content)
    return LookupResult(encodedKey: name, value: ConfigValue(content, isSecret: isSecret))
  }

  /// Returns the object of a key. If there is none, looks into the dictionaries under the parts of the
  /// key before a dot, the longest part first.
  private static func find(_ name: String, in object: (String) -> Any?) -> Any? {
    if let found = object(name) { return found }
    var part = name[...]
    while let dot = part.lastIndex(of: ".") {
      part = name[..<dot]
      guard let dictionary = object(String(part)) as? [String: Any] else { continue }
      let rest = String(name[name.index(after: dot)...])
      if let found = find(rest, in: { dictionary[$0] }) { return found }
    }
    return nil
  }

  /// Throws the error of swift-configuration for a value of another type. It is not public, but a
  /// provider that has such a value throws it.
  private static func refuse(_ key: AbsoluteConfigKey, _ type: ConfigType) throws -> LookupResult {
    let other: ConfigContent = type == .bool ? .string("") : .bool(false)
    return try InMemoryProvider(values: [key: ConfigValue(other, isSecret: true)])
      .value(forKey: key, type: type)
  }
}

extension ConfigContent {
  /// Creates the content as a setting of its type reads an object.
  ///
  /// Returns `nil` for an object that stands for no value of the type.
  fileprivate init?(_ object: Any, as type: ConfigType) {
    func read<Value: PropertyListValue>(_ content: (Value) -> Self) -> Self? {
      Value(propertyListObject: object).map(content)
    }
    let content: Self? =
      switch type {
      case .string: read(Self.string)
      case .int: read(Self.int)
      case .double: read(Self.double)
      case .bool: read(Self.bool)
      case .bytes: read { (data: Data) in .bytes([UInt8](data)) }
      case .stringArray: read(Self.stringArray)
      case .intArray: read(Self.intArray)
      case .doubleArray: read(Self.doubleArray)
      case .boolArray: read(Self.boolArray)
      case .byteChunkArray: read { (chunks: [Data]) in .byteChunkArray(chunks.map { [UInt8]($0) }) }
      }
    guard let content else { return nil }
    self = content
  }
}
