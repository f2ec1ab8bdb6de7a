// swift-tools-version: 6.0
import PackageDescription

// What `Benchmarks/instructions` counts. A package of its own, because it needs no benchmark tool.
let package = Package(
  name: "Instructions",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "TypedDefaults", path: "../..")],
  targets: [
    .executableTarget(name: "Instructions", dependencies: ["TypedDefaults"], path: "Sources")
  ]
)
