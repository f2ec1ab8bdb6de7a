import Foundation

/// Changes an input. Of itself, the fuzzer changes bytes, and would hardly ever hit upon a word, or
/// close what it has opened so that a parser accepts a hundred arrays in each other.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
  _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int, _ seed: CUnsignedInt
) -> Int {
  var generator = Generator(state: UInt64(seed))
  let old = Array(UnsafeBufferPointer(start: bytes, count: count))
  let new: [UInt8]? =
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: generator.nesting(old)
    case 1, 2: generator.replacingWord(in: old)
    default: nil
    }
  guard let new, new.count <= most else { return changeBytes(bytes, count, most) }
  _ = UnsafeMutableBufferPointer(start: bytes, count: most).update(fromContentsOf: new)
  return new.count
}

/// The fuzzer's own way.
@_silgen_name("LLVMFuzzerMutate")
private func changeBytes(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int) -> Int

/// What opens and closes a collection in the formats that the library reads, and their words.
private let brackets: [(opening: String, closing: String)] = [
  ("[", "]"), ("{\"a\":", "}"), ("(", ")"), ("{a=", ";}"), ("<array>", "</array>"),
  ("<dict><key>a</key>", "</dict>"),
]
private let words = [
  "", "0", "-1", "1e999", "9007199254740993", "nan", "inf", "null", "true", "\"\"", "@1",
  "T12:00:00Z", "://", "<0a>", "a.undecodable", "CF$UID", "<true/>", "<string>a</string>",
  "<integer>1</integer>", "<real>nan</real>", "<date>2026-01-31T12:00:00Z</date>",
  "<data>AQI=</data>", "&#0;", "<![CDATA[",
]

/// SplitMix64.
private struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// Returns the input with a part of it inside of collections.
  mutating func nesting(_ input: [UInt8]) -> [UInt8] {
    let (opening, closing) = brackets.randomElement(using: &self)!
    let depth = [1, 2, 30, 500, 600].randomElement(using: &self)!
    var (start, end) = (min(1, input.count), input.count)
    if Bool.random(using: &self) {
      start = Int.random(in: 0...end, using: &self)
      end = Int.random(in: start...end, using: &self)
    }
    var output = input
    output.insert(contentsOf: Array(String(repeating: closing, count: depth).utf8), at: end)
    output.insert(contentsOf: Array(String(repeating: opening, count: depth).utf8), at: start)
    return output
  }

  /// Returns the input with another word in place of one.
  mutating func replacingWord(in input: [UInt8]) -> [UInt8] {
    func isWord(_ byte: UInt8) -> Bool {
      Character(Unicode.Scalar(byte)).isLetter || (0x2B...0x39).contains(byte)
    }
    var start = Int.random(in: 0...input.count, using: &self)
    var end = start
    while end < input.count, isWord(input[end]) { end += 1 }
    while start > 0, isWord(input[start - 1]) { start -= 1 }
    var output = input
    output.replaceSubrange(start..<end, with: Array(words.randomElement(using: &self)!.utf8))
    return output
  }
}
