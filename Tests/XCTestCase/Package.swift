// swift-tools-version: 6.3

// XCTest tests that must fail. An XCTestCase ignores the issues of Swift Testing. A test of a
// failing scenario would pass there if the kit did not report its failures to XCTest too.

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
