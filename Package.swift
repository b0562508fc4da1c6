// swift-tools-version: 6.3

import PackageDescription

// On Linux what Foundation has for the network is a module of its own.
#if os(Linux)
  let (networkExports, otherExports) = ("FoundationNetworking.swift", "Foundation.swift")
#else
  let (networkExports, otherExports) = ("Foundation.swift", "FoundationNetworking.swift")
#endif

// `swift test` shows each promise once. Where KIT_TESTS is set, as Tests/Scripts/thorough-tests does, the tests
// are there that only a change of the kit's depths needs: those in the folders `Thorough`, and the targets at
// the end.
let isThorough = Context.environment["KIT_TESTS"] != nil
let leftOut = isThorough ? [] : ["Thorough"]

let package = Package(
  name: "swift-backup-testing",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .visionOS(.v1)],
  products: [
    .library(name: "BackupTesting", targets: ["BackupTesting"]),
    .library(name: "BackupExploring", targets: ["BackupExploring"]),
    .library(name: "BackupFolders", targets: ["BackupFolders"]),
    // Comes into a process by its environment, on Linux; nothing in this package links it.
    .library(name: "FileSystemTap", type: .dynamic, targets: ["FileSystemTap"]),
    // For modules of an app on Linux; elsewhere they need nothing.
    .plugin(name: "LinuxShim", targets: ["LinuxShim"]),
    .executable(name: "backup-testing", targets: ["backup-testing"]),
    .plugin(name: "BackupTestingCommand", targets: ["BackupTestingCommand"]),
  ],
  targets: [
    .target(name: "CBackupFiles"),
    .target(name: "CBackupProcess", dependencies: ["CBackupFiles"]),
    // These two load a library of the machine when they run; an older C library has that in one of
    // its own.
    .target(
      name: "CBackupCrypto", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(
      name: "CBackupSQLite", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(
      name: "FileSystemTap",
      linkerSettings: [
        .linkedLibrary("dl", .when(platforms: [.linux])),
        .linkedLibrary("pthread", .when(platforms: [.linux])),
      ]),
    // Loads the toolchain's libIndexStore when a command needs it.
    .target(
      name: "CIndexStore", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "BackupCollections"),
    .target(name: "BackupDiagnostics", dependencies: ["BackupCollections"]),
    .target(name: "BackupJSON5", dependencies: ["BackupDiagnostics"]),
    .target(
      name: "BackupFileTree", dependencies: ["BackupCollections", "BackupDiagnostics"]),
    .target(
      name: "BackupContainer",
      dependencies: [
        "BackupCollections", "BackupDiagnostics", "BackupFileTree", "CBackupFiles",
        "CBackupProcess", "CBackupSQLite",
      ]),
    .target(
      name: "BackupApp", dependencies: ["BackupContainer", "BackupFileTree", "CBackupProcess"]),
    .target(
      name: "BackupDevice",
      dependencies: ["BackupCollections", "BackupDiagnostics", "BackupFileTree"]),
    .target(
      name: "BackupScenarios",
      dependencies: [
        "BackupApp", "BackupCollections", "BackupContainer", "BackupDevice", "BackupDiagnostics",
        "BackupFileTree", "BackupJSON5", "CBackupProcess",
      ]),
    // What reads and writes the Finder's backup folders: tests that restore one import it.
    .target(
      name: "BackupFolders",
      dependencies: [
        "BackupContainer", "BackupDevice", "BackupDiagnostics", "BackupFileTree",
        "BackupScenarios", "CBackupCrypto", "CBackupFiles", "CBackupSQLite",
      ]),
    .target(
      name: "BackupRules",
      dependencies: [
        "BackupCollections", "BackupContainer", "BackupDevice", "BackupDiagnostics",
        "BackupFileTree", "BackupScenarios",
      ]),
    .target(
      name: "BackupExploration",
      dependencies: [
        "BackupCollections", "BackupDevice", "BackupDiagnostics", "BackupFileTree", "BackupJSON5",
        "BackupRules", "BackupScenarios",
      ]),
    .target(
      name: "BackupVerdicts",
      dependencies: [
        "BackupCollections", "BackupContainer", "BackupDevice", "BackupDiagnostics",
        "BackupFileTree", "BackupJSON5", "BackupRules", "BackupScenarios", "CBackupProcess",
      ]),
    .target(
      name: "BackupExplorationReports",
      dependencies: [
        "BackupCollections", "BackupContainer", "BackupDevice", "BackupDiagnostics",
        "BackupExploration", "BackupFileTree", "BackupRules", "BackupScenarios", "BackupVerdicts",
      ]),
    // What the tool reads of an app's sources.
    .target(
      name: "BackupSourceIndex",
      dependencies: [
        "BackupCollections", "BackupContainer", "BackupDiagnostics", "BackupFileTree",
        "BackupRules", "BackupScenarios", "BackupVerdicts", "CBackupProcess", "CIndexStore",
      ],
      resources: [.embedInCode("Resources/StorageAPIs.txt")]),
    // Above the library, which is to have no page among its resources.
    .target(
      name: "BackupReports",
      dependencies: [
        "BackupCollections", "BackupContainer", "BackupDevice", "BackupDiagnostics",
        "BackupExploration", "BackupExplorationReports", "BackupFileTree", "BackupFolders",
        "BackupJSON5", "BackupRules", "BackupScenarios", "BackupSourceIndex", "BackupVerdicts",
      ],
      resources: [
        .embedInCode("Resources/Inspection.js"), .embedInCode("Resources/Page.css"),
        .embedInCode("Resources/Report.js"),
      ]),
    .target(
      name: "BackupTesting",
      dependencies: [
        "BackupApp", "BackupContainer", "BackupDevice", "BackupDiagnostics", "BackupFileTree",
        "BackupRules", "BackupScenarios", "BackupVerdicts", "CBackupProcess",
      ],
      resources: [.copy("Resources/StandardSuite")]),
    .target(
      name: "BackupExploring",
      dependencies: [
        "BackupContainer", "BackupDiagnostics", "BackupExploration", "BackupExplorationReports",
        "BackupScenarios", "BackupTesting", "BackupVerdicts",
      ]),
    .plugin(name: "LinuxShim", capability: .buildTool(), path: "Sources/LinuxShim"),
    .plugin(
      name: "BackupTestingCommand",
      capability: .command(
        intent: .custom(
          verb: "backup-testing",
          description: "Tests which files of an app are in the user's backup"),
        permissions: [
          .writeToPackageDirectory(reason: "to write scenarios, golden files and reports")
        ]),
      path: "Sources/BackupTestingCommand"),
    .executableTarget(
      name: "backup-testing",
      dependencies: [
        "BackupCollections", "BackupContainer", "BackupDevice", "BackupDiagnostics",
        "BackupExploration", "BackupExplorationReports", "BackupFileTree", "BackupFolders",
        "BackupReports", "BackupRules", "BackupScenarios", "BackupSourceIndex", "BackupVerdicts",
        "CBackupProcess",
      ],
      resources: [
        .embedInCode("Resources/ContainerProbe.swift.txt"),
        .embedInCode("Resources/ContainerProbeApp.swift.txt"),
        .embedInCode("Resources/ContainerProbeItems.swift.txt"),
        .embedInCode("Resources/ContainerProbeMaking.swift.txt"),
        .embedInCode("Resources/ContainerProbePackage.swift.txt"),
        .embedInCode("Resources/ContainerRedirections.swift.txt"),
        .embedInCode("Resources/ContainerShim.swift.txt"),
        .embedInCode("Resources/ContainerXattr.h.txt"),
        .embedInCode("Resources/ContainerXattr.swift.txt"),
        .embedInCode("Resources/EditorSettings.json.txt"),
        .embedInCode("Resources/FirstTest.swift.txt"),
        .embedInCode("Resources/FirstXcodeTest.swift.txt"),
        .embedInCode("Resources/NewScenario.json5.txt"),
        .embedInCode("Resources/Workflow.yml.txt"),
        .embedInCode("Resources/XcodeWorkflow.yml.txt"),
      ]),
    .target(
      name: "TestSupport", dependencies: ["BackupJSON5", "CBackupCrypto"],
      path: "Tests/TestSupport"),
    .target(
      name: "TreeSupport", dependencies: ["BackupFileTree", "TestSupport"],
      path: "Tests/TreeSupport"),
    .target(
      name: "TrialSupport",
      dependencies: [
        "BackupDevice", "BackupDiagnostics", "BackupFileTree", "BackupRules", "BackupScenarios",
        "BackupVerdicts", "TestSupport",
      ],
      path: "Tests/TrialSupport"),
    .target(
      name: "NetworkSupport", path: "Tests/NetworkSupport", exclude: [otherExports],
      sources: [networkExports]),
    .testTarget(
      name: "BackupCollectionsTests", dependencies: ["BackupCollections", "TestSupport"]),
    .testTarget(
      name: "BackupDiagnosticsTests",
      dependencies: ["BackupCollections", "BackupDiagnostics", "TestSupport"]),
    .testTarget(
      name: "BackupJSON5Tests", dependencies: ["BackupDiagnostics", "BackupJSON5", "TestSupport"],
      exclude: leftOut),
    .testTarget(
      name: "BackupFileTreeTests",
      dependencies: [
        "BackupCollections", "BackupDiagnostics", "BackupFileTree", "TestSupport", "TreeSupport",
      ], exclude: leftOut),
    .testTarget(
      name: "BackupContainerTests",
      dependencies: [
        "BackupContainer", "BackupDiagnostics", "BackupFileTree", "CBackupFiles", "CBackupProcess",
        "TestSupport", "TreeSupport",
      ], exclude: leftOut),
    .testTarget(
      name: "BackupDeviceTests",
      dependencies: ["BackupDevice", "BackupDiagnostics", "BackupFileTree", "TestSupport"],
      exclude: leftOut),
    .testTarget(
      name: "BackupScenariosTests",
      dependencies: [
        "BackupContainer", "BackupDevice", "BackupDiagnostics", "BackupFileTree", "BackupJSON5",
        "BackupReports", "BackupRules", "BackupScenarios", "BackupVerdicts", "TestSupport",
        "TrialSupport",
      ], exclude: leftOut),
    .testTarget(
      name: "BackupRulesTests",
      dependencies: [
        "BackupContainer", "BackupDevice", "BackupDiagnostics", "BackupFileTree", "BackupRules",
        "BackupScenarios",
        "BackupVerdicts", "TestSupport", "TrialSupport",
      ], exclude: leftOut),
    .testTarget(
      name: "BackupExplorationTests",
      dependencies: [
        "BackupApp", "BackupContainer", "BackupDiagnostics", "BackupExploration",
        "BackupExplorationReports", "BackupFileTree", "BackupJSON5", "BackupRules",
        "BackupScenarios", "BackupVerdicts", "TestSupport", "TrialSupport",
      ], exclude: leftOut),
    .testTarget(
      name: "BackupVerdictsTests",
      dependencies: [
        "BackupContainer", "BackupDevice", "BackupDiagnostics", "BackupFileTree", "BackupReports",
        "BackupRules",
        "BackupScenarios", "BackupVerdicts", "TestSupport", "TrialSupport",
      ], exclude: leftOut),
    .testTarget(
      name: "BackupReportsTests",
      dependencies: [
        "BackupContainer", "BackupDevice", "BackupDiagnostics", "BackupFileTree", "BackupReports",
        "BackupRules", "BackupScenarios", "BackupVerdicts", "TestSupport", "TrialSupport",
      ], exclude: leftOut),
    .testTarget(
      name: "BackupTestingTests",
      dependencies: [
        "BackupCollections", "BackupContainer", "BackupDevice", "BackupDiagnostics",
        "BackupExploring", "BackupFileTree", "BackupFolders", "BackupRules", "BackupScenarios",
        "BackupTesting", "BackupVerdicts", "TestSupport",
      ], exclude: leftOut),
    // Only these two start child processes, which an iOS simulator cannot: their files are behind `#if`, since
    // a target has no condition of its own.
    .testTarget(
      name: "ProcessTests",
      dependencies: [
        "BackupApp", "BackupContainer", "BackupDevice", "BackupDiagnostics", "BackupExploration",
        "BackupExplorationReports", "BackupExploring", "BackupFileTree", "BackupFolders",
        "BackupReports", "BackupRules", "BackupScenarios", "BackupTesting", "BackupVerdicts",
        "NetworkSupport",
        "CBackupProcess", "TestSupport",
      ], exclude: leftOut),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "BackupContainer", "BackupDevice", "BackupDiagnostics", "BackupExplorationReports",
        "BackupFileTree", "BackupFolders", "BackupReports", "BackupRules", "BackupScenarios",
        "BackupVerdicts", "CBackupProcess", "TestSupport", "TrialSupport",
        .target(name: "backup-testing", condition: .when(platforms: [.macOS, .linux])),
      ], exclude: leftOut),
  ]
)

if isThorough {
  package.targets += [
    .testTarget(
      name: "BackupFoldersTests",
      dependencies: [
        "BackupContainer", "BackupDevice", "BackupDiagnostics", "BackupFileTree", "BackupFolders",
        "BackupReports", "BackupRules", "BackupScenarios", "BackupVerdicts", "TestSupport",
        "TrialSupport",
      ]),
    .testTarget(
      name: "MutationTests",
      dependencies: [
        "BackupCollections", "BackupContainer", "BackupDevice", "BackupDiagnostics",
        "BackupFileTree", "BackupJSON5", "BackupRules", "BackupScenarios", "BackupVerdicts",
        "TestSupport", "TrialSupport",
      ]),
  ]
}

// What Tests/Scripts/fuzz builds: its entry point is libFuzzer's, which no other product links.
if Context.environment["BACKUP_FUZZING"] != nil {
  let fuzz = Target.executableTarget(
    name: "fuzz",
    dependencies: [
      "BackupContainer", "BackupDevice", "BackupFileTree", "BackupFolders", "BackupReports",
      "BackupRules", "BackupScenarios", "BackupVerdicts",
    ],
    path: "Tests/Fuzzing", exclude: ["seeds.py"],
    swiftSettings: [.unsafeFlags(["-parse-as-library"])])
  package.targets.append(fuzz)
  package.products.append(.executable(name: "fuzz", targets: ["fuzz"]))
}

for target in package.targets where ![.system, .plugin].contains(target.type) {
  guard target.name != "FileSystemTap", !target.name.hasPrefix("CBackup") else { continue }
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
