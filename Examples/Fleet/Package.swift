// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Fleet",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "RemoteDefaults", targets: ["RemoteDefaults"]),
    .library(name: "EtcdDefaults", targets: ["EtcdDefaults"]),
  ],
  dependencies: [
    .package(name: "TypedDefaults", path: "../.."),
    .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.100.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
  ],
  targets: [
    // What any server's store needs.
    .target(
      name: "RemoteDefaults",
      dependencies: [.product(name: "TypedDefaults", package: "TypedDefaults")]),
    // What any cluster's server needs that speaks HTTP.
    .target(
      name: "RemoteHTTP",
      dependencies: [
        "RemoteDefaults",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
    .target(
      name: "EtcdDefaults",
      dependencies: [
        "RemoteDefaults", "RemoteHTTP", .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
    .executableTarget(
      name: "fleet",
      dependencies: [
        "EtcdDefaults", "RemoteDefaults", .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "TypedDefaults", package: "TypedDefaults"),
      ]),
    // The program that tests start as another machine. It is in no product.
    .executableTarget(
      name: "FleetProbe", dependencies: ["EtcdDefaults", "RemoteDefaults"], path: "Tests/FleetProbe"
    ),
    .testTarget(
      name: "FleetTests",
      dependencies: [
        "EtcdDefaults", "RemoteDefaults", "FleetProbe", "fleet",
        .product(name: "TypedDefaults", package: "TypedDefaults"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
  ]
)
