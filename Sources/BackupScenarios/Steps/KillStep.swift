extension StepKind {
  static let kill = StepKind(
    .kill, keywordOnlyField("kill"),
    "iOS ends the app without notice, for example when memory is low. The app's next step "
      + "launches it again.",
    examples: [["kill": [:]]]
  ) { _ in .system(.kill) }

  /// Returns the field of a step that has only a keyword.
  static func keywordOnlyField(_ keyword: String) -> Field<Void> {
    Field(
      keyword, .object("{}", []) { _ in () }, default: .required,
      "Always {}: the step has no options.")
  }
}
