// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "swift-backup-testing", path: "../..")],
  targets: [
    .target(name: "CTreeWalk"),
    .executableTarget(
      name: "scan-benchmark",
      dependencies: [
        "CTreeWalk", .product(name: "BackupTesting", package: "swift-backup-testing"),
      ]),
    .executableTarget(
      name: "action-benchmark",
      dependencies: [.product(name: "BackupTesting", package: "swift-backup-testing")]),
  ]
)
