// swift-tools-version: 6.0
import PackageDescription

// A package of its own, because the fuzzer needs the library built for it: see `Tests/Fuzz/run`.
let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "TypedDefaults", path: "../..")],
  targets: [
    // Its `main` is the fuzzer's.
    .executableTarget(name: "Fuzz", dependencies: ["TypedDefaults"], path: "Sources")
  ]
)
