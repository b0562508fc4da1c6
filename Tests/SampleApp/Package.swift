// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "Cinema",
  platforms: [.macOS(.v13), .iOS(.v16)],
  products: [.library(name: "Cinema", targets: ["Cinema"])],
  dependencies: [
    // In an app of your own: .package(url: "…/swift-backup-testing", from: "…")
    .package(name: "swift-backup-testing", path: "../..")
  ],
  targets: [
    .target(
      name: "Cinema", plugins: [.plugin(name: "LinuxShim", package: "swift-backup-testing")]),
    // Sample code from Apple's pages and other sources about backups, in C and in Swift.
    .target(name: "CListings"),
    .target(
      name: "Listings", dependencies: ["CListings"],
      plugins: [.plugin(name: "LinuxShim", package: "swift-backup-testing")]),
    .testTarget(
      name: "CinemaTests",
      dependencies: [
        "Cinema", .product(name: "BackupTesting", package: "swift-backup-testing"),
        .product(name: "BackupExploring", package: "swift-backup-testing"),
        .product(name: "BackupFolders", package: "swift-backup-testing"),
        // On Linux, this library lets exploration kill the app during its saves.
        .product(name: "FileSystemTap", package: "swift-backup-testing"),
      ],
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
    .testTarget(
      name: "ListingsTests",
      dependencies: [
        "Listings", .product(name: "BackupTesting", package: "swift-backup-testing"),
      ],
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
  ]
)
