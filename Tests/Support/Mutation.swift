import Foundation

extension RandomNumberGenerator {
  /// The data with one to four of its bytes changed, removed or added.
  mutating func mutated(_ data: Data) -> Data {
    var bytes = [UInt8](data)
    for _ in 0..<Int.random(in: 1...4, using: &self) {
      let index = Int.random(in: 0..<bytes.count, using: &self)
      switch Int.random(in: 0..<4, using: &self) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &self)
      case 1: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &self)
      case 2: bytes.remove(at: index)
      default: bytes.insert(UInt8.random(in: 0...255, using: &self), at: index)
      }
    }
    return Data(bytes)
  }
}
