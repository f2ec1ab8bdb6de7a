#if os(Linux) || os(Android)
  internal import Foundation

  /// Ways of renaming that fail with `ENOSYS` or `EINVAL` where the file system does not know them.
  enum Rename {
    /// Renames a file, unless another one has the new name.
    static func withoutReplacing(_ old: String, _ new: String) throws {
      try rename(old, new, flags: 1)
    }

    /// Exchanges the names of two files in one step.
    static func exchanging(_ first: String, _ second: String) throws {
      try rename(first, second, flags: 2)
    }

    private static func rename(_ old: String, _ new: String, flags: CUnsignedInt) throws {
      guard let renameat2 else { throw SystemError(ENOSYS) }
      try SystemError.check { renameat2(AT_FDCWD, old, AT_FDCWD, new, flags) }
    }

    private typealias Function =
      @convention(c) (
        CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>, CUnsignedInt
      ) -> CInt

    /// Looked up by name, because Swift does not import it.
    private static let renameat2 = dlsym(nil, "renameat2").map {
      unsafeBitCast($0, to: Function.self)
    }
  }
#endif
