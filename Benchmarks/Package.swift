// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that the library's users never fetch what only its benchmarks need.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "TypedDefaults", path: ".."),
    // Without its traits: they count allocations, which no benchmark here asks for.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "TypedDefaultsBenchmarks",
      dependencies: ["TypedDefaults", .product(name: "Benchmark", package: "benchmark")],
      // The tool finds its targets by the name of the folder around theirs: "Benchmarks".
      path: "Sources",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
  ]
)
