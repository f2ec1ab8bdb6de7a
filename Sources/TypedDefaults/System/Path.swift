#if os(Linux) || os(Android)
  internal import Foundation

  /// A path as the system has it: bytes, which need not be the UTF-8 of any string.
  struct Path: Sendable {
    /// With the zero at its end, as system calls want it.
    let bytes: [CChar]

    init(_ string: String) {
      bytes = Array(string.utf8CString)
    }

    private init(_ bytes: some Sequence<CChar>) {
      self.bytes = bytes + [0]
    }

    var string: String {
      String(decoding: bytes.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// In bytes.
    var count: Int { bytes.count - 1 }

    var isAbsolute: Bool { bytes[0] == Self.slash }

    /// Of a file, with the slash at its end; of a directory with such a slash, the one it lies in.
    var directory: Path { Path(bytes[..<nameStart]) }

    var lastComponent: Path { Path(bytes[nameStart...].dropLast()) }

    static func + (left: Path, right: Path) -> Path {
      Path(left.bytes.dropLast() + right.bytes.dropLast())
    }

    /// The path without its last characters, as many as it takes for a length in bytes.
    func cut(to count: Int) -> Path {
      var rest = bytes.dropLast()[...]
      while rest.count > count {
        while let last = rest.popLast(), UInt8(bitPattern: last) & 0xC0 == 0x80 {}
      }
      return Path(rest)
    }

    /// Where a symbolic link leads; nil if this is none.
    var linkTarget: Path? {
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(bytes, &buffer, buffer.count)
      guard count >= 0 else { return nil }
      let target = Path(buffer[..<count])
      return target.isAbsolute ? target : directory + target
    }

    private var nameStart: Int {
      bytes.dropLast(2).lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
    }

    private static let slash = CChar(UInt8(ascii: "/"))
  }
#endif
