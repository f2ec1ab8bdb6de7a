// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Server",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "SettingsPage", targets: ["SettingsPage", "SettingsPageCore"])
  ],
  dependencies: [
    .package(name: "TypedDefaults", path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.5.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-crypto.git", "3.12.0"..<"5.0.0"),
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.100.0"),
    .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.34.0"),
  ],
  targets: [
    // The page without a framework.
    .target(
      name: "SettingsPageCore",
      dependencies: [
        .product(name: "TypedDefaults", package: "TypedDefaults"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
      ],
      resources: [
        .embedInCode("Page/page.css"), .embedInCode("Page/page.js"),
        .embedInCode("Page/members.js"), .embedInCode("Page/events.js"),
      ]),
    // The page in a router of Hummingbird.
    .target(
      name: "SettingsPage",
      dependencies: [
        "SettingsPageCore",
        .product(name: "TypedDefaults", package: "TypedDefaults"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    .target(
      name: "SettingsServer",
      dependencies: [
        "SettingsPage",
        .product(name: "TypedDefaults", package: "TypedDefaults"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .executableTarget(
      name: "server",
      dependencies: [
        "SettingsServer", "SettingsPage",
        .product(name: "TypedDefaults", package: "TypedDefaults"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    // The program that README.md shows.
    .executableTarget(
      name: "SamplePage",
      dependencies: [
        "SettingsPage",
        .product(name: "TypedDefaults", package: "TypedDefaults"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ], path: "Tests/SamplePage"),
    .testTarget(
      name: "SettingsPageTests",
      dependencies: [
        "SettingsPageCore",
        .product(name: "TypedDefaults", package: "TypedDefaults"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .testTarget(
      name: "SettingsServerTests",
      dependencies: [
        "SettingsServer", "server", "SamplePage",
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
  ]
)
