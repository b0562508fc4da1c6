// swift-tools-version: 6.3

import PackageDescription

let kit = Target.Dependency.product(name: "BackupTesting", package: "swift-backup-testing")

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v13)],
  products: [.library(name: "AllocationCount", type: .dynamic, targets: ["AllocationCount"])],
  dependencies: [.package(name: "swift-backup-testing", path: "../..")],
  targets: [
    .target(name: "AllocationCount"),
    .target(name: "CTreeWalk"),
    .target(name: "CProcessCost"),
    .target(name: "ProcessCost", dependencies: ["CProcessCost"]),
    .executableTarget(
      name: "scan-benchmark",
      dependencies: [
        "CTreeWalk", "ProcessCost", kit,
        .product(name: "backup-testing", package: "swift-backup-testing"),
      ]),
    .executableTarget(
      name: "scaling-benchmark",
      dependencies: [
        "ProcessCost", kit,
        .product(name: "backup-testing", package: "swift-backup-testing"),
      ]),
    .executableTarget(
      name: "suite-benchmark",
      dependencies: [
        "ProcessCost", .product(name: "backup-testing", package: "swift-backup-testing"),
      ]),
    .executableTarget(
      name: "explore-benchmark",
      dependencies: [
        "ProcessCost", kit,
        .product(name: "backup-testing", package: "swift-backup-testing"),
        // What records the changes of `run` steps has to be beside the tool.
        .product(
          name: "FileSystemTap", package: "swift-backup-testing",
          condition: .when(platforms: [.linux])),
      ]),
    .executableTarget(name: "action-benchmark", dependencies: [kit, "ProcessCost"]),
  ]
)
