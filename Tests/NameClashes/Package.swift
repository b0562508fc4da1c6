// swift-tools-version: 6.3

// Shows that the kit takes none of an app's common words, and gets on with the shim in an app and
// in its tests: this compiles, or it does not. A package of its own, because a name is ambiguous
// only where two imported modules have it. Run `swift test` in this folder.

import PackageDescription

let package = Package(
  name: "NameClashes",
  platforms: [.macOS(.v13), .iOS(.v16)],
  dependencies: [.package(name: "swift-backup-testing", path: "../..")],
  targets: [
    .target(
      name: "ClashApp", plugins: [.plugin(name: "LinuxShim", package: "swift-backup-testing")]),
    .testTarget(
      name: "ClashAppTests",
      dependencies: [
        "ClashApp", .product(name: "BackupTesting", package: "swift-backup-testing"),
      ],
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")],
      plugins: [.plugin(name: "LinuxShim", package: "swift-backup-testing")]),
  ]
)
