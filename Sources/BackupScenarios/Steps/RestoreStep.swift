import BackupDiagnostics

/// `restore: "label"`: a new device with what that backup holds and nothing else.
struct RestoreStep: StepAction {
  /// The keyword, with the label of a backup.
  private static let labelField = Field(
    "restore", .label, default: .required, "The label of an earlier backup step.")

  static let declaration = StepDeclaration(
    labelField, by: .system,
    "A new device: a new container with what that backup holds and nothing else, unmarked. A step "
      + "before it takes that backup.",
    examples: [["restore": "after the first download"]])

  /// The backup's name.
  let label: String

  init?(reading step: ObjectReader) {
    guard let label = step[Self.labelField] else { return nil }
    self.label = label
  }

  var summary: String { "restore \"\(EscapedText.escape(label))\"" }
  var restoredLabel: String? { label }

  func perform(in context: inout some StepContext) throws(StepFailure) {
    try context.restore(label)
  }
}

extension Form where Value == String {
  /// The label of a backup; that an empty one is never taken is said with the others.
  fileprivate static var label: Form {
    string("the label of an earlier backup step")
      .described(by: ["type": "string", "minLength": 1])
  }
}
