// swift-tools-version: 6.0
import PackageDescription

// Where the platform saves what is set. Elsewhere, on Linux and Android, the library saves by itself. With
// this variable the library on Linux is what it is on other platforms, for tests.
let platformSaves = "TYPED_DEFAULTS_PLATFORM_SAVES"
let isAsked = Context.environment[platformSaves] != nil
let savingPlatforms: [Platform] = [
  .macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS, .driverKit, .windows, .wasi, .openbsd,
]

let settings: [SwiftSetting] = [
  .define(platformSaves, isAsked ? nil : .when(platforms: savingPlatforms)),
  // An existential costs a box: where there is one, the source says so.
  .enableUpcomingFeature("ExistentialAny"),
  // A file names every module whose members it uses, so that no import works by accident.
  .enableUpcomingFeature("MemberImportVisibility"),
  // What the library imports for itself is not forced on its users.
  .enableUpcomingFeature("InternalImportsByDefault"),
]

// A resource makes a bundle. Only Apple's tools look for the privacy manifest in it; elsewhere it would be
// a folder beside each program, and the path of the build inside the program.
#if canImport(Darwin)
  let resources: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
#else
  let resources: [Resource] = []
#endif

let package = Package(
  name: "TypedDefaults",
  // The first systems with the `Synchronization` module and, before it, with `Observation`.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "TypedDefaults", targets: ["TypedDefaults"])
  ],
  targets: [
    .target(name: "TypedDefaults", resources: resources, swiftSettings: settings),
    // The programs that tests start as a second process. They are in no product.
    .executableTarget(
      name: "Probe", dependencies: ["TypedDefaults"], path: "Tests/Probe", swiftSettings: settings),
    .executableTarget(
      name: "AsyncProbe", dependencies: ["TypedDefaults"], path: "Tests/AsyncProbe",
      swiftSettings: settings),
    .testTarget(
      name: "TypedDefaultsTests", dependencies: ["TestSupport"], swiftSettings: settings),
    // Those that start many processes and take most of the time.
    .testTarget(name: "ProcessTests", dependencies: ["TestSupport"], swiftSettings: settings),
    // A target of tests, because only these may use what is internal.
    .testTarget(
      name: "TestSupport", dependencies: ["TypedDefaults", "Probe", "AsyncProbe"],
      path: "Tests/Support", swiftSettings: settings),
    // What must compile, and without a warning, in a package that is not in Swift 6 mode.
    .testTarget(
      name: "Swift5Tests", dependencies: ["TypedDefaults"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
  ]
)
