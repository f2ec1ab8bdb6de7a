import Foundation

/// How much the tests do: `FLEET_SCALE=full` is for measurements.
enum Scale {
  static let isFull = ProcessInfo.processInfo.environment["FLEET_SCALE"] == "full"
  static let machines = isFull ? 20 : 6
  static let settings = isFull ? 102 : 30
  static let increments = isFull ? 100 : 25
  static let cuts = isFull ? 100 : 20
}
