#if os(Linux) || os(Android)
  internal import Foundation

  /// An open file, closed when the object is gone.
  final class FileDescriptor {
    let number: CInt

    /// Opens a file. Programs that this one starts do not inherit the descriptor.
    init(_ path: String, _ flags: CInt, mode: mode_t = 0) throws {
      let opened = try SystemError.check { open(path, flags | O_CLOEXEC, mode) }
      guard opened <= STDERR_FILENO else {
        number = opened
        return
      }
      // A program that has closed its standard output must not print into the file.
      defer { close(opened) }
      number = try SystemError.check { fcntl(opened, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) }
    }

    /// Opens a file to read it.
    ///
    /// - Throws: `FileRefusal` for what is none, which is not even opened: that would wake the writer of a
    ///   pipe.
    convenience init(reading path: String) throws {
      try FileStatus(of: path).checkMayBeRead()
      try self.init(path, O_RDONLY | O_NONBLOCK)
    }

    deinit { close(number) }

    func readToEnd() throws -> Data {
      var data = Data()
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = try SystemError.check { read(number, &buffer, buffer.count) }
        if count == 0 { return data }
        data.append(contentsOf: buffer[..<count])
      }
    }

    /// Writes all bytes. Beyond the program's limit for files, it throws, and no signal ends the process.
    func writeAll(_ data: Data) throws {
      var rest = data
      while !rest.isEmpty {
        let count = try Signals.withoutRaising(SIGXFSZ) {
          try SystemError.check { rest.withUnsafeBytes { write(number, $0.baseAddress, $0.count) } }
        }
        rest = rest.dropFirst(count)
      }
    }

    func synchronize() throws { try SystemError.check { fsync(number) } }
  }
#endif
