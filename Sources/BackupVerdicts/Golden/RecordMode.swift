package import BackupDiagnostics

/// When a run writes golden files.
@nonexhaustive
public enum RecordMode: String, CaseIterable, Hashable, Sendable {
  /// Never record; the default if `CI` is set.
  case never
  /// Record if the golden file does not exist and no finding fails the scenario; the default if
  /// `CI` is not set.
  case missing
  /// Record if the golden file does not exist or differs.
  case failed
  /// Always record, even if the golden file would stay the same.
  case all

  /// The environment variable that names a mode.
  public static let environmentVariable = "BACKUP_TESTING_RECORD"

  /// The mode that ``environmentVariable`` names, or the default.
  package static func mode(in environment: [String: String]) throws(RunError) -> RecordMode {
    guard let name = environment[environmentVariable], !name.isEmpty else {
      return isCI(environment) ? .never : .missing
    }
    return try mode(named: name, by: environmentVariable)
  }

  /// The mode of a name, which comes from `origin`, for the message.
  package static func mode(named name: String, by origin: String) throws(RunError) -> RecordMode {
    if let mode = RecordMode(rawValue: name) { return mode }
    let advice = NearestWord.advice(for: name, in: allCases.map(\.rawValue))
    throw RunError(.unknownRecordMode, "\(origin): unknown record mode '\(name)'; \(advice)")
  }

  /// Whether an environment is that of continuous integration: `CI` is set, and not empty, `0`,
  /// `false` or `no` in any case.
  package static func isCI(_ environment: [String: String]) -> Bool {
    guard let value = environment["CI"]?.lowercased() else { return false }
    return !["", "0", "false", "no"].contains(value)
  }
}
