/// The values in another one, by reflection, in which a group may have settings.
struct Parts {
  private let mirror: Mirror

  init(of group: Any) { mirror = Mirror(reflecting: group) }

  /// - Returns: Nil for a value that contains no settings.
  init?(ofContainer value: Any) {
    // Values of settings, such as a long list of numbers, contain none.
    if value is any UserDefaultsSerializable { return nil }
    mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .struct, .tuple, .optional, .collection, .dictionary, .set: break
    default: return nil
    }
  }

  /// Those of the superclass come first.
  var values: some Sequence<Any> {
    sequence(first: mirror, next: \.superclassMirror).reversed().lazy
      .flatMap { $0.children.lazy.map(\.value) }
  }

  /// Whether the order of the values differs from run to run.
  var isUnordered: Bool { mirror.displayStyle == .dictionary || mirror.displayStyle == .set }
}

/// A setting of any type, as its group uses it.
protocol GroupMember {
  var setting: Setting { get }
}
