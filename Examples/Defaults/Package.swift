// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Defaults",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "TypedDefaults", path: "../..")],
  targets: [
    .executableTarget(
      name: "defaults",
      dependencies: [.product(name: "TypedDefaults", package: "TypedDefaults")]),
    .testTarget(
      name: "DefaultsTests",
      dependencies: ["defaults", .product(name: "TypedDefaults", package: "TypedDefaults")]),
  ]
)
