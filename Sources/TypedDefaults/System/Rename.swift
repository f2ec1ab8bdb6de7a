#if os(Linux) || os(Android)
  internal import Foundation

  /// Ways of renaming that not every file system knows: they fail with `ENOSYS` or `EINVAL` there.
  enum Rename {
    /// Gives the first file its new name, unless another one has it.
    static func withoutReplacing(_ old: Path, _ new: Path) throws {
      try rename(old, new, flags: 1)
    }

    /// Gives each of two files the other's name, as one step.
    static func exchanging(_ first: Path, _ second: Path) throws {
      try rename(first, second, flags: 2)
    }

    private static func rename(_ old: Path, _ new: Path, flags: CUnsignedInt) throws {
      guard let renameat2 else { throw SystemError(ENOSYS) }
      try SystemError.check { renameat2(AT_FDCWD, old.bytes, AT_FDCWD, new.bytes, flags) }
    }

    private typealias Function =
      @convention(c) (
        CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>, CUnsignedInt
      ) -> CInt

    /// Looked up, because the system's headers do not show it to Swift.
    private static let renameat2 = dlsym(nil, "renameat2").map {
      unsafeBitCast($0, to: Function.self)
    }
  }
#endif
