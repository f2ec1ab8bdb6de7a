import TypedDefaults
import XCTest

/// The sample of an article, whose settings have the values of a reader for their defaults.
final class PoolSettingsTests: XCTestCase {
  func testASettingIsOverTheValueOfAReader() {
    setenv("POOL_SIZE", "16", 1)  // Read at the first use of the reader, which is here.
    defer { unsetenv("POOL_SIZE") }
    let settings = PoolSettings(in: .inMemory())
    XCTAssertEqual(settings.size, 16)
    XCTAssertEqual(settings.$size.source, .defaultValue)
    settings.size = 20
    XCTAssertEqual(settings.size, 20)
    settings.$size.reset()
    XCTAssertEqual(settings.size, 16)
    XCTAssertEqual(PoolSettings(in: .inMemory(["pool.size": 4])).size, 4)
  }

  func testTheSampleIsThatOfTheReadme() throws {
    let file = URL(filePath: #filePath)
    let sample = try text(file.deletingLastPathComponent(), "PoolSettings.swift")
    let package = (0..<3).reduce(file) { folder, _ in folder.deletingLastPathComponent() }
    let readme = try text(package, "README.md")
    XCTAssert(readme.contains("```swift\n\(sample)```\n"))
  }

  private func text(_ folder: URL, _ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }
}
