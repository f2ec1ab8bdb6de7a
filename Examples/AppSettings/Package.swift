// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "AppSettings",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [
    // Without the name it would be that of the folder, which may be called anything.
    .package(name: "TypedDefaults", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "settings",
      dependencies: [.product(name: "TypedDefaults", package: "TypedDefaults")])
  ]
)
