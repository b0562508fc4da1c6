// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "Cinema",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [.library(name: "Cinema", targets: ["Cinema"])],
  dependencies: [
    // In an app of your own: .package(url: "…/swift-backup-testing", from: "…")
    .package(name: "swift-backup-testing", path: "../..")
  ],
  targets: [
    .target(name: "Cinema"),
    .testTarget(
      name: "CinemaTests",
      dependencies: [
        "Cinema", .product(name: "BackupTesting", package: "swift-backup-testing"),
      ],
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
  ]
)
