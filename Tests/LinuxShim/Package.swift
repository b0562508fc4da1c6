// swift-tools-version: 6.1

// Tests the files that `backup-testing linux-shim` prints. ShimmedApp and CShimmedApp have links to
// these files. This is a separate package, because the files must work in modules that do not
// depend on the kit. Run `swift test` in this folder.

import PackageDescription

let package = Package(
  name: "LinuxShim",
  targets: [
    .target(name: "BackupTesting"),
    .target(name: "ShimmedApp"),
    .target(name: "CShimmedApp"),
    // An app in a process of its own, which does not have the kit's classes.
    .executableTarget(name: "ShimmedProcess", dependencies: ["ShimmedApp"]),
    .testTarget(
      name: "ShimmedAppTests",
      dependencies: ["ShimmedApp", "CShimmedApp", "BackupTesting", "ShimmedProcess"]),
  ]
)

for target in package.targets where ["BackupTesting", "ShimmedAppTests"].contains(target.name) {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
