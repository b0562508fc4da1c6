// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "swift-backup-testing",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .library(name: "BackupTesting", targets: ["BackupTesting"]),
    .executable(name: "backup-testing", targets: ["backup-testing"]),
  ],
  targets: [
    .target(name: "CExtendedAttributes"),
    .target(name: "CProcess"),
    .target(name: "AppContainer", dependencies: ["CExtendedAttributes"]),
    .target(name: "DeviceSimulation", dependencies: ["AppContainer"]),
    .target(
      name: "BackupScenarios", dependencies: ["AppContainer", "DeviceSimulation", "CProcess"]),
    .target(
      name: "BackupTesting",
      dependencies: ["AppContainer", "DeviceSimulation", "BackupScenarios"],
      resources: [.copy("Resources/StandardSuite")]),
    .executableTarget(
      name: "backup-testing",
      dependencies: ["AppContainer", "DeviceSimulation", "BackupScenarios"],
      resources: [.embedInCode("Resources/ContainerShim.swift")]),
    .target(name: "SeededRandom", path: "Tests/SeededRandom"),
    .testTarget(
      name: "AppContainerTests",
      dependencies: ["AppContainer", "CExtendedAttributes", "SeededRandom"]),
    .testTarget(
      name: "DeviceSimulationTests",
      dependencies: ["DeviceSimulation", "AppContainer", "SeededRandom"]),
    .testTarget(
      name: "BackupScenariosTests",
      dependencies: ["BackupScenarios", "DeviceSimulation", "AppContainer", "SeededRandom"]),
    .testTarget(name: "BackupTestingTests", dependencies: ["BackupTesting", "SeededRandom"]),
    .testTarget(name: "CommandLineTests", dependencies: ["backup-testing", "BackupScenarios"]),
  ]
)

for target in package.targets where target.type != .system {
  guard !["CExtendedAttributes", "CProcess"].contains(target.name) else { continue }
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
