import BackupDiagnostics

/// The kit's environment variables that a user sets.
package enum KitVariables {
  package static let names = [
    "BACKUP_TESTING_EXPLORE", "BACKUP_TESTING_FILTER", "BACKUP_TESTING_FORK",
    "BACKUP_TESTING_IN_PROCESS", "BACKUP_TESTING_KEEP", "BACKUP_TESTING_PENDING",
    "BACKUP_TESTING_RECORD", "BACKUP_TESTING_REPLAY", "BACKUP_TESTING_REPORT",
    "BACKUP_TESTING_SHARD", "BACKUP_TESTING_WAIT",
  ]

  /// Returns a sentence on each variable that has the kit's prefix, but that the kit does not know.
  package static func complaints(in environment: [String: String]) -> [String] {
    // The kit sets these variables for the processes that it starts. The kit's own tests set some
    // of them too.
    let internalVariables =
      /BACKUP_TESTING_(APP(_BENCHMARK|_VERSION)?|BUNDLE_IDENTIFIER|CONTAINER|FORK_SERVER|GROUPS|LAUNCH_COUNT|OWN_TEST_RUN|SYSTEM|TAP_.*)/
    return environment.keys.sorted().filter { name in
      name.starts(with: /BACKUP_TESTING_/) && !names.contains(name)
        && name.wholeMatch(of: internalVariables) == nil
    }.map { name in
      "unknown environment variable '\(name.escapedExcerpt)'; \(NearestWord.advice(for: name, in: names))"
    }
  }
}
