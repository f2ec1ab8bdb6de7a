public import Foundation

// Each is stored as the JSON text of its `Codable` conformance.

extension CGPoint: UserDefaultsSerializable, Described {
  static var wording: Wording { Wording(noun: "a point", examples: [Self(x: 1, y: 2)]) }
}

extension CGSize: UserDefaultsSerializable, Described {
  static var wording: Wording { Wording(noun: "a size", examples: [Self(width: 800, height: 600)]) }
}

extension CGRect: UserDefaultsSerializable, Described {
  static var wording: Wording {
    Wording(noun: "a rectangle", examples: [Self(x: 1, y: 2, width: 800, height: 600)])
  }
}
