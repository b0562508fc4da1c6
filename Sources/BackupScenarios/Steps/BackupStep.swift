extension StepKind {
  static let backup: StepKind = {
    let label = Field(
      "backup",
      .nonemptyString(
        "a label for the backup", empty: "the label is empty; write when the backup is taken"),
      default: .required, "A label that says when the backup is taken, for 'restore' and reports.")
    return StepKind(
      .backup, label,
      "iOS makes a backup. Later steps refer to the backup by this label. A new backup replaces an "
        + "earlier backup with the same label.",
      examples: [["backup": "after the first download"]]
    ) { step in
      step[label].map { .system(.backup($0)) }
    }
  }()
}
