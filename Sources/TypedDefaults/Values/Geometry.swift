public import Foundation

// Each is stored as the JSON text of its `Codable` conformance.

/// Stored as JSON text of its coordinates.
extension CGPoint: UserDefaultsSerializable {}

/// Stored as JSON text of its width and height.
extension CGSize: UserDefaultsSerializable {}

/// Stored as JSON text of its origin and size.
extension CGRect: UserDefaultsSerializable {}
