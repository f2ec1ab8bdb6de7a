#if os(Linux) || os(Android)
  internal import Foundation

  extension String {
    /// The directory that holds the file or directory, with a slash at the end.
    var parentDirectory: String {
      dropLast().lastIndex(of: "/").map { String(self[...$0]) } ?? ""
    }

    /// The target of a symbolic link; nil if this is no link.
    var linkTarget: String? {
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: self) else {
        return nil
      }
      return target.hasPrefix("/") ? target : parentDirectory + target
    }
  }
#endif
