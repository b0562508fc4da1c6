/// An environment variable of the tool or of tests. A test fails if the kit reads a variable that
/// is missing here.
struct EnvironmentVariable: Sendable {
  let name: String
  let summary: String

  init(_ name: String, _ summary: String) {
    self.name = name
    self.summary = summary
  }

  static let record = EnvironmentVariable(
    "BACKUP_TESTING_RECORD", "write golden files: never, missing, failed or all")
  static let ci = EnvironmentVariable(
    "CI", "if set, no golden file is written, and one without a scenario is an error")
  static let pending = EnvironmentVariable(
    "BACKUP_TESTING_PENDING", "the folder for new golden texts; default: beside the golden files")
  static let shard = EnvironmentVariable(
    "BACKUP_TESTING_SHARD", "run only a part of the scenarios, such as 2/8")
  static let temporaryFolder = EnvironmentVariable(
    "TMPDIR", "the folder in which containers are made")

  static let jobSummary = EnvironmentVariable(
    "GITHUB_STEP_SUMMARY", "the file to which --format github appends a summary")

  /// The variables from which reports take their origin, such as the commit.
  static let originVariables = [
    EnvironmentVariable(
      "SOURCE_DATE_EPOCH", "the time that a page names, in seconds since 1970; default: now"),
    EnvironmentVariable(
      "GITHUB_SHA", "the commit that a page names if there is no '.git' (set by GitHub)"),
    EnvironmentVariable(
      "CI_COMMIT_SHA", "the commit that a page names if there is no '.git' (set by GitLab)"),
  ]

  /// The variables that every command reads.
  static let outputVariables = [
    EnvironmentVariable("NO_COLOR", "if set, nothing is printed in colour"),
    EnvironmentVariable("TERM", "if 'dumb', nothing is printed in colour"),
  ]

  static let testVariables: [EnvironmentVariable] = originVariables + variablesOnlyOfTests

  private static let variablesOnlyOfTests: [EnvironmentVariable] = [
    record, pending, ci, shard, temporaryFolder,
    EnvironmentVariable(
      "BACKUP_TESTING_FILTER", "run only scenarios of this id, pattern or tag:NAME, or 'failed'"),
    EnvironmentVariable(
      "BACKUP_TESTING_REPORT", "write the results to a file for 'report', or to junit:FILE"),
    EnvironmentVariable(
      "BACKUP_TESTING_EXPLORE", "the number of events that exploration adds, or 'off'"),
    EnvironmentVariable("BACKUP_TESTING_REPLAY", "repeat the run that an issue names"),
    EnvironmentVariable("BACKUP_TESTING_IN_PROCESS", "run the app in the test's process"),
    EnvironmentVariable("BACKUP_TESTING_WAIT", "let the app wait for a debugger"),
    EnvironmentVariable("BACKUP_TESTING_KEEP", "keep the containers of tests"),
    EnvironmentVariable(
      "BACKUP_TESTING_FORK", "'off': load the app's libraries again at each launch"),
    EnvironmentVariable("SWIFT_BACKTRACE", "how a crash of the app is printed"),
    EnvironmentVariable("XML_OUTPUT_FILE", "write a JUnit report (set by Bazel)"),
    EnvironmentVariable("TEST_TOTAL_SHARDS", "the number of shards (set by Bazel)"),
    EnvironmentVariable("TEST_SHARD_INDEX", "the shard, from 0 (set by Bazel)"),
    EnvironmentVariable(
      "TEST_SHARD_STATUS_FILE", "the file that tests create if they use shards (set by Bazel)"),
  ]
}
