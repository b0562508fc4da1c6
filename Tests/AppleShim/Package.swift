// swift-tools-version: 6.3

// Proves AppleShim and AppleShimCopies with app files in a folder of their own, as an Xcode project
// has them. Run `swift test` in this folder.

import PackageDescription

let package = Package(
  name: "AppleShim",
  platforms: [.macOS(.v13), .iOS(.v16)],
  dependencies: [.package(name: "swift-backup-testing", path: "../..")],
  targets: [
    .target(
      name: "PhotoStorage",
      dependencies: [.product(name: "AppleShim", package: "swift-backup-testing")],
      exclude: ["AppFiles.txt"], swiftSettings: [.swiftLanguageMode(.v5)],
      plugins: [
        .plugin(name: "AppleShimCopies", package: "swift-backup-testing"),
        .plugin(name: "LinuxShim", package: "swift-backup-testing"),
      ]),
    .testTarget(
      name: "AppleShimTests",
      dependencies: [
        "PhotoStorage", .product(name: "AppleShim", package: "swift-backup-testing"),
      ]),
  ]
)
