import Foundation
import TestSupport
import Testing

@testable import BackupDevice
@testable import BackupFileTree

/// The table of eras in the article WhatIOSDoes agrees with the profiles.
@Suite struct EraArticleTests {
  /// A row of the table: some iOS versions, and the cells with their properties.
  private struct Row {
    /// The versions as the article writes them: `8`, `5.1, 6` or `9 to 18`.
    let systems: String
    let cells: [String]

    /// Whether the row is about a version.
    func includes(_ version: SystemVersion) -> Bool {
      systems.split(separator: ",").contains { range in
        let bounds = range.replacing("to", with: " ").split(separator: " ")
          .compactMap { SystemVersion(String($0)) }
        guard let first = bounds.first, let last = bounds.last else { return false }
        return first <= version && version <= last
      }
    }
  }

  private static func rows() throws -> [Row] {
    try Checkout.table("iOS", in: "WhatIOSDoes").map { cells in
      Row(systems: cells[0], cells: Array(cells.dropFirst()))
    }
  }

  /// Returns the cells that the row of a profile must have.
  private func expectedCells(of profile: SystemProfile) -> [String] {
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
    let rows = try Self.rows().filter { $0.includes(profile.version) }
    #expect(rows.count == 1, "iOS \(profile.version) in the table of eras")
    let row = try #require(rows.first)
    for (cell, expected) in zip(row.cells, expectedCells(of: profile)) {
      #expect(cell.hasPrefix(expected) || expected.hasPrefix(cell), "iOS \(profile.version)")
    }
  }

  @Test func `each row is about a known version`() throws {
    for row in try Self.rows() {
      #expect(SystemProfile.all.contains { row.includes($0.version) }, "\(row.systems)")
    }
  }

  @Test(arguments: SystemProfile.all)
  func `the marks of each version cite the sources that the article names`(
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
