#if os(Linux) || os(Android)
  internal import Foundation

  /// Ways of renaming. All but the first fail where the file system does not know them.
  enum Rename {
    /// Renames a file, and replaces one that has the new name.
    static func replacing(_ old: String, _ new: String) throws {
      try SystemError.check { rename(old, new) }
    }

    /// Renames a file, unless another one has the new name.
    static func withoutReplacing(_ old: String, _ new: String) throws {
      try rename2(old, new, flags: 1)
    }

    /// Exchanges the names of two files in one step.
    static func exchanging(_ first: String, _ second: String) throws {
      try rename2(first, second, flags: 2)
    }

    private static func rename2(_ old: String, _ new: String, flags: CUnsignedInt) throws {
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
