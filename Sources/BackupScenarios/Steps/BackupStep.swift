import BackupDiagnostics

/// `backup: "label"`: the system takes a backup.
struct BackupStep: StepAction {
  /// The keyword, with the label that later steps know the backup by.
  private static let labelField = Field(
    "backup",
    .filledString(
      "a label for the backup", empty: "the label is empty; say when the backup is taken"),
    default: .required, "A label that says when, for 'restore' and reports.")

  static let declaration = StepDeclaration(
    labelField, by: .system,
    "The system takes a backup, under every kind in 'backups'; a later one of the same label takes "
      + "its place.",
    examples: [["backup": "after the first download"]])

  /// Its name, for `restore` and reports.
  let label: String

  init?(reading step: ObjectReader) {
    guard let label = step[Self.labelField] else { return nil }
    self.label = label
  }

  var summary: String { "backup \"\(EscapedText.escape(label))\"" }
  var backupLabel: String? { label }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.takeBackup(label)
  }
}
