import Foundation
import TestSupport
import Testing

@testable import BackupDevice
@testable import BackupFileTree

/// The table of eras in WhatIOSDoes: each system has a row there, which says what its profile says.
@Suite struct EraArticleTests {
  /// A row: the systems, and what is said of them.
  private struct Row {
    /// The systems, as they are written.
    let systems: String
    let columns: [String]

    /// Whether a version is among the systems: `8`, `5.1, 6` or `9 to 18`.
    func isOf(_ version: SystemVersion) -> Bool {
      systems.split(separator: ",").contains { part in
        let ends = part.replacing("to", with: " ").split(separator: " ")
          .compactMap { SystemVersion(String($0)) }
        guard let first = ends.first, let last = ends.last else { return false }
        return first <= version && version <= last
      }
    }
  }

  /// The rows of the table.
  private static func rows() throws -> [Row] {
    try Checkout.table("iOS", in: "WhatIOSDoes").map { cells in
      Row(systems: cells[0], columns: Array(cells.dropFirst()))
    }
  }

  /// What a profile's row has to say.
  private func columns(of profile: SystemProfile) -> [String] {
    let honoured = profile.honouredMarks.value
    let available = profile.availableMarks.value
    let isDeprecated = !profile.deprecatedMarks.value.isEmpty
    return [
      honoured.isEmpty ? "none" : honoured == .resourceValue ? "resource value" : "attribute",
      available == .extendedAttribute
        ? "attribute" : isDeprecated ? "both; the attribute is deprecated" : "both",
      profile.purge.unit.value == .singleFiles ? "single files" : "the whole directory",
      profile.purge.sparesMarked.value ? "yes" : "no",
      profile.bundleIsInContainer.value ? "yes" : "no",
    ]
  }

  @Test(arguments: SystemProfile.all)
  func `each system has one row`(profile: SystemProfile) throws {
    let rows = try Self.rows().filter { $0.isOf(profile.version) }
    #expect(rows.count == 1, "iOS \(profile.version) in the table of eras")
    let row = try #require(rows.first)
    for (said, meant) in zip(row.columns, columns(of: profile)) {
      #expect(said.hasPrefix(meant) || meant.hasPrefix(said), "iOS \(profile.version)")
    }
  }

  @Test func `no row is of a system that there is not`() throws {
    for row in try Self.rows() {
      #expect(SystemProfile.all.contains { row.isOf($0.version) }, "\(row.systems)")
    }
  }

  @Test(arguments: SystemProfile.all)
  func `the marks of each system are documented where the article says`(
    profile: SystemProfile
  ) throws {
    let sentence = try #require(
      Checkout.article("WhatIOSDoes")
        .components(separatedBy: "The marks in this table are `documented`")
        .dropFirst().first?.prefix { $0 != "." })
    let marks = [profile.honouredMarks, profile.availableMarks, profile.deprecatedMarks]
    for mark in marks {
      #expect(mark.evidence == .documented)
      #expect(mark.sources.allSatisfy { sentence.contains("`\($0.key)`") }, "\(mark.sources)")
    }
  }
}
