import Foundation

@testable import TestSupport

/// A page of the documentation, or a source file whose comments have samples.
struct Page {
  let url: URL
  let text: String

  init(_ url: URL) throws {
    self.url = url
    text = try String(contentsOf: url, encoding: .utf8)
  }

  init(_ path: String) throws {
    try self.init(Compiler.package.appending(path: path))
  }

  /// The README and the articles.
  static func readable() throws -> [Self] {
    let articles = try FileManager.default.contentsOfDirectory(
      at: Compiler.package.appending(path: "Sources/TypedDefaults/Documentation.docc"),
      includingPropertiesForKeys: nil)
    return try [Page("README.md")]
      + articles.filter { $0.pathExtension == "md" }.sorted { $0.path < $1.path }.map(Page.init)
  }

  static func article(_ name: String) throws -> Self {
    try Page("Sources/TypedDefaults/Documentation.docc/\(name).md")
  }

  static func sources() throws -> [Self] {
    let folder = Compiler.package.appending(path: "Sources/TypedDefaults")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return try (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
      .sorted { $0.path < $1.path }.map(Page.init)
  }

  var name: String { url.deletingPathExtension().lastPathComponent }

  /// The Swift blocks, with those of a file's comments.
  var samples: [Sample] {
    blocks { $0.hasPrefix("```swift") }
  }

  /// The blocks of what a terminal shows.
  var transcripts: [Sample] {
    blocks { $0 == "```" || $0 == "```console" }.filter { $0.lines.first?.hasPrefix("$ ") == true }
  }

  private func blocks(where isWanted: (Substring) -> Bool) -> [Sample] {
    var blocks: [Sample] = []
    var current: Sample?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      var line = line
      if url.pathExtension == "swift" {
        guard let comment = line.wholeMatch(of: #/\s*/// ?(.*)/#) else { continue }
        line = comment.1
      }
      let fence = line.drop { $0 == " " }
      if let block = current {
        guard fence == "```" else {
          current?.lines.append(line)
          continue
        }
        if isWanted(block.fence) { blocks.append(block) }
        current = nil
      } else if fence.hasPrefix("```") {
        current = Sample(page: url.path, line: index + 2, fence: fence)
      }
    }
    return blocks
  }
}

/// A block of code on a page.
struct Sample {
  let page: String
  let line: Int
  let fence: Substring
  var lines: [Substring] = []

  /// The compiler's messages name the page and the line in it.
  var sourceWithLocation: String {
    "#sourceLocation(file: \"\(page)\", line: \(line))\n\(lines.joined(separator: "\n"))"
  }

  /// Whether it is a part of a type's declaration.
  var isOfMembers: Bool {
    lines.first?.hasPrefix("@") == true || lines.first?.hasPrefix("static") == true
  }

  /// The sample in a scope of its own, where it may be in one.
  var scope: String {
    if isOfMembers { return "do { struct Members {\n\(sourceWithLocation)\n} }" }
    let isExtension = lines.contains { $0.hasPrefix("extension ") }
    return isExtension ? sourceWithLocation : "do {\n\(sourceWithLocation)\n}"
  }

  /// Whether it is a manifest, or needs a module that is not here.
  var isForeign: Bool {
    let modules = ["Logging", "EtcdDefaults", "XCTest", "Configuration"]
    return lines.first == "// Package.swift"
      || modules.contains { lines.contains("import \($0)") }
      || !hasSwiftUI && (lines.contains("import SwiftUI") || page.hasSuffix("Binding.swift"))
  }

  #if canImport(SwiftUI)
    private var hasSwiftUI: Bool { true }
  #else
    private var hasSwiftUI: Bool { false }
  #endif

  /// The lines that it prints, as its comments say: beside a `print`, in the lines right after it,
  /// or after the word "prints" beside what calls one.
  var printed: [String] {
    var printed: [String] = []
    var below: [Substring]?  // the comments below a `print`
    for line in lines + [""] {
      let comment = line.firstMatch(of: #/// (.+)/#)?.1
      if line.drop(while: { $0 == " " }).hasPrefix("//") {
        below?.append(comment ?? "")
        continue
      }
      if let below, !below.isEmpty { printed.append(below.joined(separator: " ")) }
      below = nil
      if let comment, comment.hasPrefix("prints ") {
        printed.append(String(comment.dropFirst(7)))
      } else if line.contains("print(") {
        if let comment { printed.append(String(comment)) } else { below = [] }
      }
    }
    return printed
  }
}
