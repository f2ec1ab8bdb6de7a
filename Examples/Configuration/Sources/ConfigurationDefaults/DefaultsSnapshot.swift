import Configuration
import Foundation

/// The objects of a provider's keys at one moment.
struct DefaultsSnapshot: ConfigSnapshot {
  private let lookup: Lookup
  // Property-list objects, which are immutable.
  private nonisolated(unsafe) let objects: [String: Any]

  init(_ lookup: Lookup, _ objects: [String: Any]) {
    self.lookup = lookup
    let prefix = lookup.prefix
    self.objects =
      prefix.isEmpty
      ? objects : objects.filter { $0.key.hasPrefix(prefix) || prefix.hasPrefix($0.key + ".") }
  }

  var providerName: String { lookup.providerName }

  func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
    try lookup.value(forKey: key, type: type) { objects[$0] }
  }

  func isSame(as other: Self) -> Bool { Self.areSame(objects, other.objects) }

  /// Returns whether objects are equal. On Linux, `NSDictionary` finds no two equal integers.
  private static func areSame(_ left: Any, _ right: Any) -> Bool {
    switch (left, right) {
    case (let left as [String: Any], let right as [String: Any]):
      left.count == right.count
        && left.allSatisfy { key, value in right[key].map { areSame(value, $0) } ?? false }
    case (let left as [Any], let right as [Any]):
      left.count == right.count && zip(left, right).allSatisfy(areSame)
    case (let left as AnyHashable, let right as AnyHashable): left == right
    default: false
    }
  }
}

extension DefaultsSnapshot: CustomStringConvertible {
  /// The name of the provider, because a value may be a secret.
  var description: String { providerName }
}
