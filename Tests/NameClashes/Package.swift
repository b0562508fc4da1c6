// swift-tools-version: 6.3

// This package compiles only if the kit's names do not clash with the common names of an app's
// types, and if an app and its tests can both contain the shim. It is a separate package, because a
// name is ambiguous only if two imported modules declare it. Run `swift test` in this folder.

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
