import Foundation
import TestSupport
import Testing

/// The kit's scenarios against kits that decide one thing wrongly: each must fail somewhere.
///
/// Here every third mutant is tried, and every rule without its check; all of them by
/// `Tests/Scripts/thorough-tests`, which prints a table of the mutants too, each with the scenarios
/// that catch it. No scenario can catch these wrong decisions, which are for other tests:
/// `neverRestored` (those places are in no backup), group containers, special and unreadable files.
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

  @Test("a rule that is off, or wrong as any may be, is caught", arguments: Mutant.everyRule)
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

  /// Expects at least one scenario to fail.
  private func expectCaught(_ mutant: Mutant) async throws {
    let catcher = try await mutant.firstCatcher()
    #expect(catcher != nil, "no scenario notices: \(mutant.name)")
  }
}

extension Mutant {
  /// Every mutant that has to be caught.
  static let all: [Mutant] =
    locations + items + marks + purges + life + operations + fileOperations + everyRule
    + unexplained + ruleOrder
    + markRules + reapply + promises
}
