package import Foundation

/// The checkout that the tests were built from.
package enum Checkout {
  /// The folder of the package's manifest.
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Where a file of the checkout is.
  package static func path(_ path: String) -> String {
    root.appendingPathComponent(path).path
  }

  /// The folder of the kit's own scenarios.
  package static let scenarioFolder = path("Scenarios")

  /// The folder of the kit's own golden files.
  package static let goldenFolder = path("Golden")

  /// The text of a file of the checkout.
  package static func text(of path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The text of an article of the documentation.
  package static func article(_ name: String) throws -> String {
    try text(of: "Sources/BackupTesting/BackupTesting.docc/\(name).md")
  }
}
