#if os(Linux) || os(Android)
  internal import Foundation

  /// A path in bytes, as the system has it: they may be no UTF-8.
  struct Path: Sendable {
    /// The bytes with a zero at the end, for system calls.
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

    /// The number of bytes.
    var count: Int { bytes.count - 1 }

    var isAbsolute: Bool { bytes[0] == Self.slash }

    /// The directory that holds the file or directory, with a slash at the end.
    var directory: Path { Path(bytes[..<nameStart]) }

    var lastComponent: Path { Path(bytes[nameStart...].dropLast()) }

    static func + (left: Path, right: Path) -> Path {
      Path(left.bytes.dropLast() + right.bytes.dropLast())
    }

    /// Returns the path without as many of its last characters as exceed a number of bytes.
    func cut(to count: Int) -> Path {
      var rest = bytes.dropLast()[...]
      while rest.count > count {
        while let last = rest.popLast(), UInt8(bitPattern: last) & 0xC0 == 0x80 {}
      }
      return Path(rest)
    }

    /// The target of a symbolic link; nil if this is no link.
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
