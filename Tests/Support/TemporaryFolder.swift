import Foundation
import XCTest

@testable import TypedDefaults

/// A folder of a test's own, removed with all that is in it when nobody uses it any more.
final class TemporaryFolder: Sendable {
  let path: String

  /// - Parameter isForAllUsers: Whether a process of another user uses the folder.
  init(isForAllUsers: Bool = false) throws {
    let places = [NSTemporaryDirectory(), "/tmp/", "/var/tmp/"]
    let place = isForAllUsers ? places.first(where: Self.mayPassAll) : nil
    path = try place.map { $0 + Self.name } ?? Self.folderOfProcess.get() + "/\(UUID())"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
  }

  private static var name: String { "TypedDefaultsTests-\(UUID())" }

  /// Has all folders but those for all users, and is removed when the process ends: with what Foundation
  /// has made again, too, where a folder was removed before its store.
  fileprivate static let folderOfProcess: Result<String, any Error> = Result {
    let path = NSTemporaryDirectory() + name
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    atexit {
      #if !TYPED_DEFAULTS_PLATFORM_SAVES
        SaveScheduler.finish()  // It might otherwise come afterwards.
      #endif
      guard let path = try? TemporaryFolder.folderOfProcess.get() else { return }
      try? FileManager.default.removeItem(atPath: path)
    }
    return path
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

  /// Waits until a process has saved what is wanted.
  func waitForContents(
    file: StaticString = #filePath, line: UInt = #line, _ areWanted: ([String: Any]) -> Bool
  ) {
    let end = ContinuousClock.now + .seconds(ChildProcess.patience)
    while (try? contents()).flatMap({ $0 }).map(areWanted) != true {
      if .now > end { return XCTFail("not saved in time", file: file, line: line) }
      usleep(10_000)
    }
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
  /// A folder of the test's own, for the files of stores too: it is there until the process ends. Were it
  /// removed while its store lives, the library would take the missing file for one that another program
  /// is about to replace, and wait for that.
  func makeTemporaryFolder() throws -> URL {
    let path = try TemporaryFolder.folderOfProcess.get() + "/\(UUID())"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    return URL(filePath: path, directoryHint: .isDirectory)
  }
}
