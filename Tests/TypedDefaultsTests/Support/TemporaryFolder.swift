import Foundation
import XCTest

/// A folder of a test's own, removed with all that is in it when nobody uses it any more.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "TypedDefaultsTests-\(UUID())"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
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
