import Foundation
import XCTest

/// A folder of a test's own, removed with all that is in it when nobody uses it any more.
final class TemporaryFolder: Sendable {
  let path: String

  /// - Parameter isForAllUsers: Whether a process of another user uses the folder.
  init(isForAllUsers: Bool = false) throws {
    let places = [NSTemporaryDirectory(), "/tmp/", "/var/tmp/"]
    let place = isForAllUsers ? places.first(where: Self.mayPassAll) : nil
    path = (place ?? places[0]) + "TypedDefaultsTests-\(UUID())"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
  }

  /// Whether all users may pass a folder and those around it.
  private static func mayPassAll(_ path: String) -> Bool {
    var folder = URL(filePath: path).standardizedFileURL
    while folder.path != "/" {
      let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path)
      guard let mode = attributes?[.posixPermissions] as? Int, mode & 1 == 1 else { return false }
      folder = folder.deletingLastPathComponent()
    }
    return true
  }

  func remove() {
    try? FileManager.default.removeItem(atPath: path)
  }

  deinit { remove() }

  /// The preferences file of a suite whose process uses the folder as its configuration directory.
  func plist(_ name: String = "Probe") -> String { "\(path)/\(name).plist" }

  func contents(ofPlist name: String = "Probe") throws -> [String: Any]? {
    let data = try Data(contentsOf: URL(filePath: plist(name)))
    return try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
  }

  func write(_ data: Data, toPlist name: String = "Probe") throws {
    try data.write(to: URL(filePath: plist(name)))
  }

  /// The names of all files.
  var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}

extension XCTestCase {
  /// A folder of the test's own, removed after it.
  func makeTemporaryFolder() throws -> URL {
    let folder = try TemporaryFolder()
    // Not left to its end, because the block, and what it holds, may never be released.
    addTeardownBlock { folder.remove() }
    return URL(filePath: folder.path, directoryHint: .isDirectory)
  }
}
