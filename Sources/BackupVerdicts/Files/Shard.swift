package import BackupDiagnostics

/// The part of a suite that one of several machines runs.
///
/// Only a scenario's id decides which shard has it, so that a new scenario moves no other one.
package struct Shard: Hashable, Sendable, CustomStringConvertible {
  private let number: Int
  private let count: Int

  package static let variable = "BACKUP_TESTING_SHARD"

  /// Creates a shard with a number from 1 to the count; nil for any other number.
  package init?(_ number: Int, of count: Int) {
    guard number >= 1, number <= count else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// Reads a shard from a text such as `2/8`. Errors name the text's `origin`.
  package init(_ text: String, from origin: String) throws(RunError) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1],
      let shard = Shard(number, of: count)
    else {
      throw RunError(
        .contradictory,
        "\(origin): '\(text)' is not a shard; expected a number, a slash and the number of "
          + "shards, from 1/8 to 8/8 for 8 shards")
    }
    self = shard
  }

  /// Returns the shard that ``variable`` names; nil if it names none.
  package static func named(in environment: [String: String]) throws(RunError) -> Shard? {
    guard let text = environment[variable], !text.isEmpty else { return nil }
    return try Shard(text, from: variable)
  }

  package var description: String { "\(number)/\(count)" }

  /// Returns true if this shard has the scenario of an id.
  package func contains(_ id: String) -> Bool {
    let hash = id.stableHash
    // Both halves of the hash together divide ids evenly that differ in a number at their end.
    return (hash >> 32 ^ hash & 0xFFFF_FFFF) % UInt64(count) == number - 1
  }

  /// Returns the number of this shard's scenarios in a place, in words.
  package func share(_ count: Int, of all: Int, in place: String) -> String {
    "shard \(self) has \(count) of \(all.counted("scenario")) in \(place)"
  }

  /// Returns the error for a shard that has no scenario in a place, and so must not pass.
  package func noShare(of all: Int, in place: String) -> RunError {
    RunError(
      .noScenario, "\(share(0, of: all, in: place)), so nothing is tested; use fewer shards")
  }
}

extension String {
  /// The 64-bit hash by FNV-1a, which is the same in every process.
  var stableHash: UInt64 {
    utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
