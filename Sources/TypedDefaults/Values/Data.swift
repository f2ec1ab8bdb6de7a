public import Foundation

extension Data: PropertyListValue {
  /// Returns the object of a property list, which is the same data.
  ///
  /// - Returns: The data.
  public func propertyListObject() -> Any { self }

  /// Creates data from an object of a property list.
  ///
  /// Reads data, and a string of hexadecimal digits such as "<0102ff>". Returns `nil` for any other
  /// object.
  ///
  /// - Parameter object: The object of the property list.
  public init?(propertyListObject object: Any) {
    if let data = object as? Data {
      self = data
    } else if let string = object as? String {
      self.init(digits: string)
    } else {
      return nil
    }
  }

  private init?(digits string: String) {
    guard string.hasPrefix("<"), string.hasSuffix(">"),
      let digits = string.utf8.dropFirst().dropLast().filter({ $0 != UInt8(ascii: " ") })
        .mapAll({ Character(Unicode.Scalar($0)).hexDigitValue }),
      digits.count.isMultiple(of: 2)
    else { return nil }
    self.init(
      stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
  }
}

extension Data: JSONConvertible {
  var json: JSON? {
    .string("<\(map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())>")
  }
}

/// Stored as data of a property list.
extension Data: UserDefaultsSerializable {}
