// swift-tools-version: 6.1

// Proves the files that `backup-testing linux-shim` prints, to which ShimmedApp and CShimmedApp
// have links. A package of its own, because these files must work in modules that know nothing of
// the kit. Run `swift test` in this folder.

import PackageDescription

let package = Package(
  name: "LinuxShim",
  targets: [
    .target(name: "BackupTesting"),
    .target(name: "ShimmedApp"),
    .target(name: "CShimmedApp"),
    // What stands for a process of the app's own, without the kit's classes.
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
