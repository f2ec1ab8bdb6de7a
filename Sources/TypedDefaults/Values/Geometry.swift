public import Foundation

// Each is stored as the JSON text of its `Codable` conformance.

/// Stored as JSON text of its coordinates.
extension CGPoint: UserDefaultsSerializable, Described {
  static var wording: Wording { Wording(noun: "a point", examples: [Self(x: 1, y: 2)]) }
}

/// Stored as JSON text of its width and height.
extension CGSize: UserDefaultsSerializable, Described {
  static var wording: Wording { Wording(noun: "a size", examples: [Self(width: 800, height: 600)]) }
}

/// Stored as JSON text of its origin and size.
extension CGRect: UserDefaultsSerializable, Described {
  static var wording: Wording {
    Wording(noun: "a rectangle", examples: [Self(x: 1, y: 2, width: 800, height: 600)])
  }
}
