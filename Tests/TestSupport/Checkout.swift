package import Foundation

/// The Git checkout from which the tests were built.
package enum Checkout {
  /// The root folder, which contains `Package.swift`.
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The absolute path of a file, from its path relative to the root folder.
  package static func path(_ path: String) -> String {
    root.appendingPathComponent(path).path
  }

  /// The folder of the kit's own scenarios.
  package static let scenarioFolder = path("Scenarios")

  /// The folder of the kit's own golden files.
  package static let goldenFolder = path("Golden")

  /// The text of a file, from its path relative to the root folder.
  package static func text(of path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The text of a documentation article, for example `Glossary`.
  package static func article(_ name: String) throws -> String {
    try text(of: "Sources/BackupTesting/BackupTesting.docc/\(name).md")
  }
}
