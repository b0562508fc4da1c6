import BackupContainer
import BackupDiagnostics
import BackupVerdicts
import Foundation

extension Shard {
  /// Returns the shard of scenarios that an environment asks for; nil for all scenarios.
  ///
  /// Bazel numbers shards from 0. Its variable `TEST_SHARD_STATUS_FILE` names a file, which the
  /// tests create to confirm that they can run in shards. If the file already exists, the test
  /// runner has created it, and runs only some of the test functions in this shard. For example,
  /// the test runner of rules_swift does this. The kit then returns nil. If the kit also divided
  /// the scenarios, most of them would run in no shard.
  static func ofTests(in environment: [String: String]) throws(RunError) -> Shard? {
    if let shard = try Shard.shard(in: environment) { return shard }
    let (countText, indexText) = (
      environment["TEST_TOTAL_SHARDS"] ?? "", environment["TEST_SHARD_INDEX"] ?? ""
    )
    // If the tests do not run in shards, Bazel's variables are missing or 0.
    guard !countText.isEmpty, countText != "0" else { return nil }
    guard let number = Int(indexText), let total = Int(countText),
      let shard = Shard(number &+ 1, of: total)
    else {
      throw RunError(
        .contradictory,
        "TEST_SHARD_INDEX is '\(indexText)' and TEST_TOTAL_SHARDS is '\(countText)'; expected the "
          + "number of shards, and an index from 0 to one less")
    }
    guard let file = environment["TEST_SHARD_STATUS_FILE"], !file.isEmpty else { return shard }
    guard FileKind(at: file, followingLinks: true) == nil else {
      print(
        "shard \(shard) is not used for scenarios, because TEST_SHARD_STATUS_FILE exists: the "
          + "test runner divides the tests")
      return nil
    }
    guard FileManager.default.createFile(atPath: file, contents: nil) else {
      throw RunError(.unwritable, "TEST_SHARD_STATUS_FILE: \(file): cannot be written")
    }
    return shard
  }
}
