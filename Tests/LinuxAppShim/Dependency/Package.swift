// swift-tools-version: 6.1

// A dependency of an app: it knows of no shim.

import PackageDescription

let package = Package(
  name: "Dependency",
  products: [.library(name: "PlainStore", targets: ["PlainStore"])],
  targets: [.target(name: "PlainStore")]
)
