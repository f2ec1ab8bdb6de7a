import Foundation
import NIOCore
import NIOPosix

/// A regular file that lies in a folder, however its path leads there.
final class OpenFile: Sendable {
  private let descriptor: CInt
  let size: Int

  /// Changes whenever the file does.
  let tag: String

  /// Opens a file. Returns `nil` if there is none in the folder, or if it lies beside hidden files.
  init?(_ path: String, in folder: String, besides hidden: String?) {
    // A named pipe would wait for a writer otherwise.
    descriptor = openat(AT_FDCWD, folder + "/" + path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      (size, tag) = (0, "")
      return nil
    }
    size = Int(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    tag = "\"\(status.st_ino)-\(size)-\(time.tv_sec)-\(time.tv_nsec)\""
    // The open file is asked where it lies, because a link may have led anywhere.
    guard status.st_mode & S_IFMT == S_IFREG, let path = Self.path(of: descriptor),
      let folder = Self.realPath(folder), path.hasPrefix(folder + "/")
    else { return nil }
    let parent = path.prefix(through: path.lastIndex(of: "/")!).dropLast()
    guard hidden.flatMap(Self.realPath).map({ $0 == parent }) != true else { return nil }
  }

  private static func realPath(_ path: String) -> String? {
    guard let path = realpath(path, nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Reads a part of the file on a thread that may wait for the disk.
  func read(at offset: Int, count: Int) async throws -> ByteBuffer {
    try await NIOThreadPool.singleton.runIfActive { [self] in
      var buffer = ByteBuffer()
      _ = try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) {
        let readCount = pread(descriptor, $0.baseAddress, min(count, $0.count), off_t(offset))
        guard readCount > 0 else { throw FileChanged() }
        return readCount
      }
      return buffer
    }
  }

  /// Ends an answer whose file has become shorter than was promised.
  private struct FileChanged: Error {}

  private static func path(of descriptor: CInt) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { buffer in
      buffer.initialize(repeating: 0)
      #if canImport(Darwin)
        let isKnown = fcntl(descriptor, F_GETPATH, buffer.baseAddress!) == 0
      #else
        let isKnown =
          readlink("/proc/self/fd/\(descriptor)", buffer.baseAddress!, Int(PATH_MAX)) > 0
      #endif
      return isKnown ? String(cString: buffer.baseAddress!) : nil
    }
  }
}
