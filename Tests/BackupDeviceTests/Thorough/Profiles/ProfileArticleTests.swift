import BackupDevice
import TestSupport
import Testing

/// The tables of the article WhatIOSDoes agree with the profiles: on facts, versions, evidence and
/// sources.
@Suite struct ProfileArticleTests {
  /// The entries in the table of eras, which ``EraArticleTests`` checks.
  private static let eraEntries: Set = ["honoured marks", "available marks", "deprecated marks"]

  @Test(arguments: ProfileStatement.all.indices)
  func `each statement of the profiles is a row with its evidence and its sources`(index: Int)
    throws
  {
    let statement = ProfileStatement.all[index]
    #expect(statement.sentences.count == 1, "systems differ, or there is none: a row each")
    let sentence = try #require(statement.sentences.first)
    let rows = try Checkout.table("statement", in: "WhatIOSDoes", below: statement.section)
    let row = try #require(
      rows.first { $0[0] == sentence },
      "WhatIOSDoes.md, '\(statement.section)', has no row '\(sentence)'")
    guard !statement.entries.isEmpty else { return }
    // .ci/records checks the rows that a phone has confirmed.
    let isConfirmed = statement.evidence == "`unverified`" && row[1].hasPrefix("`observed` on iOS ")
    #expect(isConfirmed || row[1] == statement.evidence, "\(sentence)")
    #expect(statement.sources == [row[2]], "\(sentence)")
  }

  @Test(arguments: SystemProfile.all)
  func `each entry of a profile is in a row that holds for its system`(profile: SystemProfile) {
    let statedEntries = Set(ProfileStatement.all.filter { $0.holds(profile) }.flatMap(\.entries))
    let missing = Set(profile.grounds.map(\.entry)).subtracting(statedEntries).subtracting(
      Self.eraEntries)
    #expect(missing.isEmpty, "no statement is about \(missing.sorted()) of iOS \(profile.version)")
  }

  @Test func `each entry that is stated is one of a profile`() throws {
    let known = Set(try #require(SystemProfile.newest).grounds.map(\.entry))
    #expect(ProfileStatement.all.flatMap(\.entries).allSatisfy(known.contains))
  }

  @Test func `each source key in the article is one of the code's`() throws {
    let known = Set(SystemProfile.Source.allCases.map { "`\($0.key)`" })
    for section in Set(ProfileStatement.all.map(\.section)) {
      for row in try Checkout.table("statement", in: "WhatIOSDoes", below: section) {
        let keys = row[2].split(separator: ", ").map(String.init)
        #expect(keys == ["–"] || keys.allSatisfy(known.contains), "\(row[0])")
      }
    }
  }
}
