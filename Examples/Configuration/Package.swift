// swift-tools-version: 6.2
import PackageDescription

// swift-configuration calls functions on the actor of their caller, so its protocols expect that.
let settings: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let package = Package(
  name: "Configuration",
  platforms: [.macOS(.v15)],
  products: [.library(name: "ConfigurationDefaults", targets: ["ConfigurationDefaults"])],
  dependencies: [
    .package(name: "TypedDefaults", path: "../.."),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
  ],
  targets: [
    .target(
      name: "ConfigurationDefaults",
      dependencies: [
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "TypedDefaults", package: "TypedDefaults"),
      ],
      swiftSettings: settings),
    // The second process of the tests, and the reads that are counted. It is in no product.
    .executableTarget(
      name: "ConfigurationProbe",
      dependencies: ["ConfigurationDefaults"],
      path: "Tests/ConfigurationProbe"),
    .testTarget(
      name: "ConfigurationDefaultsTests",
      dependencies: [
        "ConfigurationDefaults", "ConfigurationProbe",
        .product(name: "ConfigurationTesting", package: "swift-configuration"),
      ],
      swiftSettings: settings),
  ]
)
