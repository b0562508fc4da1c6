package import BackupDiagnostics

/// The scenarios of a suite that one of several machines runs.
///
/// The shard of a scenario depends only on the scenario's id. A new scenario therefore does not
/// move other scenarios to other shards.
package struct Shard: Hashable, Sendable, CustomStringConvertible {
  private let number: Int
  private let shardCount: Int

  package static let environmentVariable = "BACKUP_TESTING_SHARD"

  /// Creates a shard with a number from 1 to the count; nil for any other number.
  package init?(_ number: Int, of shardCount: Int) {
    guard number >= 1, number <= shardCount else { return nil }
    (self.number, self.shardCount) = (number, shardCount)
  }

  /// Reads a shard from a text such as `2/8`.
  ///
  /// `origin` says in errors where the text is from, for example an environment variable.
  package init(_ text: String, from origin: String) throws(RunError) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let shardCount = numbers[1],
      let shard = Shard(number, of: shardCount)
    else {
      throw RunError(
        .contradictory,
        "\(origin): '\(text)' is not a shard; expected a number, a slash and the number of "
          + "shards, from 1/8 to 8/8 for 8 shards")
    }
    self = shard
  }

  /// Returns the shard that ``environmentVariable`` names; nil if the variable is not set or is
  /// empty.
  package static func shard(in environment: [String: String]) throws(RunError) -> Shard? {
    guard let text = environment[environmentVariable], !text.isEmpty else { return nil }
    return try Shard(text, from: environmentVariable)
  }

  package var description: String { "\(number)/\(shardCount)" }

  /// Returns true if the scenario with an id belongs to this shard.
  package func contains(_ id: String) -> Bool {
    let hash = id.stableHash
    // Ids often differ only in a number at their end. Only both halves of the hash together divide
    // such ids evenly.
    return (hash >> 32 ^ hash & 0xFFFF_FFFF) % UInt64(shardCount) == number - 1
  }

  /// Returns the number of this shard's scenarios in words, for example
  /// `shard 2/8 has 3 of 20 scenarios in Scenarios`.
  package func sizeInWords(_ scenarioCount: Int, of totalCount: Int, in place: String) -> String {
    "shard \(self) has \(scenarioCount) of \(totalCount.counted("scenario")) in \(place)"
  }

  /// Returns the error for a shard without scenarios. Such a shard must not pass, because it tests
  /// nothing.
  package func emptyShardError(of totalCount: Int, in place: String) -> RunError {
    RunError(
      .noScenario,
      "\(sizeInWords(0, of: totalCount, in: place)), so nothing is tested; use fewer shards")
  }
}

extension String {
  /// The 64-bit FNV-1a hash, which is the same in every process.
  var stableHash: UInt64 {
    utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
