import Foundation
import TestSupport
import Testing

/// Runs the kit's scenarios with mutants of the kit. A mutant makes one wrong decision, which at
/// least one scenario must catch by failing.
///
/// These tests try every third mutant of most kinds. `Tests/Scripts/thorough-tests --exhaustive`
/// tries all mutants, and prints a table of the scenarios that catch each.
///
/// No scenario can catch wrong decisions on `neverRestored` (these places are in no backup), on
/// group containers, and on special and unreadable files. Other tests check these.
@Suite("Mutation")
struct MutationTests {
  @Test(
    "a wrong answer to where backups look is caught",
    arguments: Thoroughness.every(3, of: Mutant.locations))
  func location(_ mutant: Mutant) async throws { try await expectCaught(mutant) }

  @Test(
    "a wrong answer to what stays out by its kind is caught",
    arguments: Thoroughness.every(3, of: Mutant.items))
  func item(_ mutant: Mutant) async throws { try await expectCaught(mutant) }

  @Test(
    "a wrong answer to what a mark does is caught",
    arguments: Thoroughness.every(3, of: Mutant.marks))
  func mark(_ mutant: Mutant) async throws { try await expectCaught(mutant) }

  @Test("a wrong purge is caught", arguments: Thoroughness.every(3, of: Mutant.purges))
  func purge(_ mutant: Mutant) async throws { try await expectCaught(mutant) }

  @Test(
    "a wrong launch, update or restore is caught", arguments: Thoroughness.every(3, of: Mutant.life)
  )
  func life(_ mutant: Mutant) async throws { try await expectCaught(mutant) }

  @Test(
    "an operation that goes wrong on disk is caught",
    arguments: Thoroughness.every(3, of: Mutant.operations + Mutant.fileOperations))
  func operation(_ mutant: Mutant) async throws { try await expectCaught(mutant) }

  @Test(
    "a rule that is off, or wrong as any may be, is caught", arguments: Mutant.commonRuleMutants)
  func anyRule(_ mutant: Mutant) async throws { try await expectCaught(mutant) }

  @Test(
    "a cause that gives more than one finding is caught",
    arguments: Mutant.unexplained + Mutant.ruleOrder)
  func explanation(_ mutant: Mutant) async throws { try await expectCaught(mutant) }

  @Test(
    "a wrong rule on marks is caught",
    arguments: Thoroughness.every(3, of: Mutant.markRules + Mutant.reapply))
  func markRule(_ mutant: Mutant) async throws { try await expectCaught(mutant) }

  @Test(
    "a wrong rule on what the app promises is caught",
    arguments: Thoroughness.every(3, of: Mutant.promises))
  func promiseRule(_ mutant: Mutant) async throws { try await expectCaught(mutant) }

  @Test("a mutant that changes nothing is not caught", arguments: Mutant.harmless)
  func harmless(_ mutant: Mutant) async throws {
    let catchers = try await mutant.allCatchers()
    #expect(catchers == [])
  }

  @Test(
    "the table of mutants",
    .enabled(if: Thoroughness.isFull))
  func table() async throws {
    print("| mutant | caught by |\n|---|---|")
    for mutant in Mutant.all {
      let catchers = try await mutant.allCatchers()
      print("| \(mutant.name) | \(catchers.joined(separator: ", ")) |")
    }
  }

  private func expectCaught(_ mutant: Mutant) async throws {
    let catcher = try await mutant.firstCatcher()
    #expect(catcher != nil, "no scenario notices: \(mutant.name)")
  }
}

extension Mutant {
  /// All mutants that a scenario must catch.
  static let all: [Mutant] =
    locations + items + marks + purges + life + operations + fileOperations + commonRuleMutants
    + unexplained + ruleOrder
    + markRules + reapply + promises
}
