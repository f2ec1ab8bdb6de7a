import Foundation
import TypedDefaults

/// SplitMix64: small, and the same on every machine for a seed.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Small more often than large, so that edges are met.
  mutating func integer<I: FixedWidthInteger>() -> I {
    I(truncatingIfNeeded: next() >> UInt64.random(in: 0..<64, using: &self))
  }

  mutating func double() -> Double {
    Bool.random(using: &self) ? Double(bitPattern: next()) : Double(integer() as Int32) / 100
  }

  mutating func string() -> String {
    let ranges: [ClosedRange<UInt32>] = [0...0x7F, 0x20...0x7E, 0...0xD7FF, 0xE000...0x10FFFF]
    let range = ranges.randomElement(using: &self)!
    return String(
      String.UnicodeScalarView(
        list { Unicode.Scalar(UInt32.random(in: range, using: &$0))! }))
  }

  mutating func list<E>(_ element: (inout Self) -> E) -> [E] {
    (0..<Int.random(in: 0...6, using: &self)).map { _ in element(&self) }
  }

  mutating func url() -> URL {
    var components = URLComponents()
    components.path = list { "/" + $0.string() }.joined()
    if Bool.random(using: &self) { components.query = string() }
    if Bool.random(using: &self) { components.fragment = string() }
    if Bool.random(using: &self) {
      components.scheme = ["http", "https", "file", "x-y.z"].randomElement(using: &self)
      components.host = ["", "example.com", "127.0.0.1"].randomElement(using: &self)
    }
    let base = Bool.random(using: &self) ? URL(string: "https://base.example/a/b") : nil
    return components.url(relativeTo: base) ?? URL(fileURLWithPath: "/fallback")
  }

  mutating func coordinate() -> Double {
    let number = double()
    return number.isFinite ? number : 0  // JSON has no other numbers.
  }

  mutating func person() -> Person {
    let score = coordinate()
    return Person(
      name: string(), age: integer(), score: score, site: URL(string: "https://a.b/c"),
      born: Date(timeIntervalSinceReferenceDate: Double(integer() as Int32)),
      scores: ["a": [score]])
  }

  /// A random value of the type that the index names.
  mutating func sample(_ index: Int) -> Sample {
    let key = "\(index)"
    switch index % 37 {
    case 0: return Sample(key, Bool.random(using: &self))
    case 1: return Sample(key, integer() as Int)
    case 2: return Sample(key, integer() as Int8)
    case 3: return Sample(key, integer() as Int16)
    case 4: return Sample(key, integer() as Int32)
    case 5: return Sample(key, integer() as Int64)
    case 6: return Sample(key, integer() as UInt)
    case 7: return Sample(key, integer() as UInt8)
    case 8: return Sample(key, integer() as UInt16)
    case 9: return Sample(key, integer() as UInt32)
    case 10: return Sample(key, integer() as UInt64)
    case 11: return Sample(key, Float(bitPattern: integer()))
    case 12: return Sample(key, double())
    case 13: return Sample(key, CGFloat(double()))
    case 14:
      return Sample(
        key,
        Decimal(sign: .plus, exponent: Int.random(in: -128...90, using: &self), significand: 1)
          * Decimal(integer() as Int))
    case 15: return Sample(key, string())
    case 16: return Sample(key, Data(list { $0.integer() as UInt8 }))
    case 17: return Sample(key, Date(timeIntervalSince1970: Double(integer() as Int32)))
    case 18: return Sample(key, url())
    case 19: return Sample(key, UUID(uuid: uuid()))
    case 20:
      return Sample(
        key, TimeZone(identifier: TimeZone.knownTimeZoneIdentifiers.randomElement(using: &self)!)!)
    case 21:
      return Sample(
        key,
        Locale(
          identifier: Locale.availableIdentifiers.sorted().randomElement(using: &self)!))
    case 22:
      let bounds = [integer() as Int, integer() as Int].sorted()
      return Sample(key, bounds[0]..<bounds[1])
    case 23:
      let bounds = [string(), string()].sorted()
      return Sample(key, bounds[0]...bounds[1])
    case 24: return Sample(key, list { $0.list { $0.integer() as UInt64 } })
    case 25: return Sample(key, Set(list { $0.string() }))
    case 26:
      return Sample(
        key, Dictionary(list { ($0.string(), $0.list { $0.integer() as Int }) }) { $1 })
    case 27:
      return Sample(key, Dictionary(list { ($0.integer() as Int, $0.string()) }) { $1 })
    case 28: return Sample(key, list { $0.url() })
    case 29: return Sample(key, Color.allCases.randomElement(using: &self)!)
    case 30: return Sample(key, Level.allCases.randomElement(using: &self)!)
    case 31: return Sample(key, Flags(rawValue: integer()))
    case 32: return Sample(key, person())
    case 33: return Sample(key, Duration.nanoseconds(integer() as Int64) / 7)
    case 34: return Sample(key, string().first ?? "a")
    case 35:
      return Sample(
        key, list { CGRect(x: $0.coordinate(), y: 0, width: $0.coordinate(), height: 1) })
    default: return Sample(key, list { ["p": Set([$0.person()])] })
    }
  }

  private mutating func uuid() -> uuid_t {
    let (a, b) = (next(), next())
    return unsafeBitCast((a, b), to: uuid_t.self)
  }
}
