import BackupScenarios
import TestSupport
import Testing
import TrialSupport

@testable import BackupDiagnostics
@testable import BackupVerdicts

/// A shard is the part of a suite that one machine runs.
@Suite struct ShardTests {
  /// The numbers of the shards that have an id.
  private func numbers(of id: String, among count: Int) -> [Int] {
    (1...count).filter { Shard($0, of: count)?.contains(id) == true }
  }

  @Test(arguments: 1...9)
  func `each id is in exactly one shard`(count: Int) throws {
    for id in try OwnSuite.scenarios.map(\.id) + ["", "a", "É/日本"] {
      #expect(numbers(of: id, among: count).count == 1, "\(id)")
    }
  }

  /// These values may never change. If machines with different versions of the kit shared a suite,
  /// some scenarios would run on no machine.
  @Test(
    arguments: [
      ("a", [1, 2, 1, 1]), ("b", [2, 2, 2, 2]), ("marks/a", [1, 2, 1, 5]),
      ("movie", [2, 3, 2, 6]), ("caf\u{E9}", [2, 3, 4, 4]), ("marks/lost-mark", [1, 2, 3, 3]),
    ])
  func `an id is in the same shard in every process`(id: String, expected: [Int]) {
    #expect([2, 3, 4, 8].flatMap { numbers(of: id, among: $0) } == expected)
  }

  @Test func `ids that differ in a number at their end are breakdownLines over the shards`() {
    let ids = (1...40).map { "movies/movie-\($0)" }
    for number in 1...8 {
      let count = ids.count { numbers(of: $0, among: 8) == [number] }
      #expect((2...10).contains(count), "shard \(number) has \(count) of 40")
    }
  }

  @Test(arguments: ["1/1", "2/8", "8/8", "1/9223372036854775807"])
  func `a shard is read and written as a number and a count`(text: String) throws {
    #expect(try Shard(text, from: "--shard").description == text)
  }

  @Test(
    arguments: [
      "0/8", "9/8", "-1/8", "x", "2", "2/", "/8", "2/8/8", "2/x", "1/0", "0/0", "", " 2/8", "2 / 8",
      "1/9223372036854775808",
    ])
  func `anything else is an error that says what was found and what was expected`(text: String) {
    let error = #expect(throws: RunError.self) { try Shard(text, from: "--shard") }
    #expect(
      error?.description
        == "--shard: '\(text)' is not a shard; expected a number, a slash and the number of "
        + "shards, from 1/8 to 8/8 for 8 shards")
  }

  @Test func `the variable names a shard, and none if it is empty or not set`() throws {
    #expect(try Shard.shard(in: [Shard.environmentVariable: "2/8"]) == Shard(2, of: 8))
    #expect(try Shard.shard(in: [Shard.environmentVariable: ""]) == nil)
    #expect(try Shard.shard(in: [:]) == nil)
    let error = #expect(throws: RunError.self) {
      try Shard.shard(in: [Shard.environmentVariable: "9/8"])
    }
    #expect(error?.description.hasPrefix("BACKUP_TESTING_SHARD: '9/8' is not a shard") == true)
  }
}
