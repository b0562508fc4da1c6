// swift-tools-version: 6.3

// Tests of XCTest that have to fail: in an XCTestCase nobody hears of Swift Testing's issues, so a
// scenario that fails would pass there without the kit's call of XCTest's own failure.

import PackageDescription

let package = Package(
  name: "XCTestCase",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "swift-backup-testing", path: "../..")],
  targets: [
    .testTarget(
      name: "FailingTests",
      dependencies: [.product(name: "BackupTesting", package: "swift-backup-testing")])
  ]
)
