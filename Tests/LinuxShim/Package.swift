// swift-tools-version: 6.1

// Proves the file that `backup-testing linux-shim` prints, to which ShimmedApp has a link. A
// package of its own, because that file must work in a module that knows nothing of the kit. Run
// `swift test` in this folder.

import PackageDescription

let package = Package(
  name: "LinuxShim",
  targets: [
    .target(name: "BackupTesting"),
    .target(name: "ShimmedApp"),
    .testTarget(name: "ShimmedAppTests", dependencies: ["ShimmedApp", "BackupTesting"]),
  ]
)

for target in package.targets where target.name != "ShimmedApp" {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
