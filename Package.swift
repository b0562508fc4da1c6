// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "swift-backup-testing",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .visionOS(.v1)],
  products: [
    .library(name: "BackupTesting", targets: ["BackupTesting"]),
    .executable(name: "backup-testing", targets: ["backup-testing"]),
  ],
  targets: [
    .target(name: "CBackupFiles"),
    .target(name: "CBackupProcess"),
    .target(name: "BackupDiagnostics"),
    .target(name: "BackupJSON5", dependencies: ["BackupDiagnostics"]),
    .target(name: "BackupFileTree", dependencies: ["BackupDiagnostics"]),
    .target(
      name: "BackupContainer",
      dependencies: ["BackupDiagnostics", "BackupFileTree", "CBackupFiles"]),
    .target(name: "BackupDevice", dependencies: ["BackupFileTree"]),
    .target(
      name: "BackupScenarios",
      dependencies: [
        "BackupContainer", "BackupDevice", "BackupDiagnostics", "BackupFileTree", "BackupJSON5",
        "CBackupProcess",
      ]),
    .target(
      name: "BackupRules",
      dependencies: ["BackupDevice", "BackupDiagnostics", "BackupFileTree", "BackupScenarios"]),
    .target(
      name: "BackupVerdicts",
      dependencies: [
        "BackupContainer", "BackupDevice", "BackupDiagnostics", "BackupFileTree", "BackupRules",
        "BackupScenarios",
      ]),
    .target(
      name: "BackupTesting",
      dependencies: [
        "BackupContainer", "BackupDevice", "BackupDiagnostics", "BackupFileTree", "BackupRules",
        "BackupScenarios", "BackupVerdicts",
      ],
      resources: [.copy("Resources/StandardSuite")]),
    .executableTarget(
      name: "backup-testing",
      dependencies: [
        "BackupContainer", "BackupDevice", "BackupDiagnostics", "BackupFileTree", "BackupRules",
        "BackupScenarios", "BackupVerdicts",
      ],
      resources: [.embedInCode("Resources/ContainerShim.swift")]),
    .target(name: "SeededRandom", path: "Tests/SeededRandom"),
    .testTarget(
      name: "AppContainerTests",
      dependencies: [
        "BackupContainer", "BackupDiagnostics", "BackupFileTree", "CBackupFiles", "SeededRandom",
      ]),
    .testTarget(
      name: "DeviceSimulationTests",
      dependencies: ["BackupDevice", "BackupFileTree", "SeededRandom"]),
    .testTarget(
      name: "BackupScenariosTests",
      dependencies: [
        "BackupContainer", "BackupDevice", "BackupDiagnostics", "BackupFileTree", "BackupJSON5",
        "BackupRules", "BackupScenarios", "BackupVerdicts", "SeededRandom",
      ]),
    .testTarget(
      name: "BackupTestingTests",
      dependencies: [
        "BackupContainer", "BackupDevice", "BackupDiagnostics", "BackupFileTree", "BackupRules",
        "BackupScenarios", "BackupTesting", "BackupVerdicts", "SeededRandom",
      ]),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "BackupContainer", "BackupDevice", "BackupDiagnostics", "BackupFileTree", "BackupRules",
        "BackupScenarios", "BackupVerdicts", "backup-testing",
      ]),
  ]
)

for target in package.targets where target.type != .system {
  guard !["CBackupFiles", "CBackupProcess"].contains(target.name) else { continue }
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
