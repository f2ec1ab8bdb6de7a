public import Foundation

// Each is stored as the JSON text of its `Codable` conformance.

extension CGPoint: UserDefaultsSerializable, Described {
  static var noun: String { "a point" }
  static var examples: [Self] { [Self(x: 1, y: 2)] }
}

extension CGSize: UserDefaultsSerializable, Described {
  static var noun: String { "a size" }
  static var examples: [Self] { [Self(width: 800, height: 600)] }
}

extension CGRect: UserDefaultsSerializable, Described {
  static var noun: String { "a rectangle" }
  static var examples: [Self] { [Self(x: 1, y: 2, width: 800, height: 600)] }
}
