import BackupDevice
import BackupDiagnostics
import BackupJSON5

/// `restore: "label"`, or `{ label: "label", to: "sameDevice" }`: a new container with what that
/// backup holds and nothing else.
struct RestoreStep: StepAction {
  /// A backup, and where it is restored to.
  struct Restore {
    /// The backup's name.
    let label: String
    /// Where it is restored to.
    let destination: RestoreSimulator.Destination
  }

  /// The keyword, with the label of a backup.
  private static let restoreField = Field(
    "restore", .restore, default: .required, "The label of an earlier backup step.")

  static let declaration = StepDeclaration(
    restoreField, by: .system,
    "A new container with what that backup holds and nothing else, unmarked. A step before it takes "
      + "that backup.",
    examples: [
      ["restore": "after the first download"],
      ["restore": ["label": "at night", "to": "sameDevice"]],
    ])

  /// What is restored, and where.
  private let restore: Restore

  init?(reading step: ObjectReader) {
    guard let restore = step[Self.restoreField] else { return nil }
    self.restore = restore
  }

  /// The backup's name.
  var label: String { restore.label }

  var summary: String {
    let target = restore.destination == .newDevice ? "" : " to \(restore.destination.rawValue)"
    return "restore \"\(EscapedText.escape(label))\"\(target)"
  }
  var neededLabel: String? { label }
  var installation: AppInstallation? { .installs }

  func perform(in context: inout some StepContext) throws(StepFailure) {
    try context.restore(label, to: restore.destination)
  }
}

extension Form where Value == RestoreStep.Restore {
  /// The label of a backup, alone or with the device that it is restored to.
  fileprivate static var restore: Form {
    let label = Form<String>.labelOfBackup
    let object = Form.restoreTo(label)
    var form = Form(
      expected: "\(label.expected), or { label: …, to: … }", words: "\(label.words), or object",
      schema: ["anyOf": [label.schema, object.schema]]
    ) { reader in
      if case .object = reader.value.kind { return object.read(reader) }
      return label.read(reader).map { RestoreStep.Restore(label: $0, destination: .newDevice) }
    }
    form.inner = object.inner
    return form
  }

  /// `{ label: "label", to: "sameDevice" }`.
  private static func restoreTo(_ label: Form<String>) -> Form {
    let labelField = Field(
      "label", label, default: .required, "The label of an earlier backup step.")
    let destinationField = Field(
      "to", .word(of: RestoreSimulator.Destination.self), default: .value("newDevice"),
      "sameDevice: the keychain comes along. newDevice: not the items that are for one device only. "
        + "transfer: as newDevice, but by the rules of a backup to a computer, whatever kind it is."
    )
    return .object("{ label: …, to: … }", [labelField, destinationField]) { object in
      guard let label = object[labelField], let destination = object[destinationField],
        !object.isMistaken(destinationField)
      else { return nil }
      return RestoreStep.Restore(label: label, destination: destination)
    }
  }
}

extension Form where Value == String {
  /// The label of a backup; that an empty one is never taken is said with the others.
  static var labelOfBackup: Form {
    string("the label of an earlier backup step")
      .described(by: ["type": "string", "minLength": 1])
  }
}
