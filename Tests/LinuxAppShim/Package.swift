// swift-tools-version: 6.1

// Proves the product LinuxAppShim: the module of a dependency, which has no file of the shim and knows
// neither shim nor kit, does on Linux what it does on iOS. Run `swift test` in this folder, and again
// with `--configuration release`.

import PackageDescription

let package = Package(
  name: "LinuxAppShimTrial",
  dependencies: [
    .package(path: "Dependency"), .package(name: "swift-backup-testing", path: "../.."),
  ],
  targets: [
    // What has the file of the shim as well.
    .target(name: "ShimmedApp"),
    // What stands for a process of the app's own.
    .executableTarget(
      name: "PlainProcess",
      dependencies: [
        "ShimmedApp", .product(name: "PlainStore", package: "Dependency"),
        .product(name: "LinuxAppShim", package: "swift-backup-testing"),
      ]),
    .testTarget(
      name: "LinuxAppShimTests",
      dependencies: [
        "PlainProcess", "ShimmedApp", .product(name: "PlainStore", package: "Dependency"),
        .product(name: "LinuxAppShim", package: "swift-backup-testing"),
      ]),
  ]
)
