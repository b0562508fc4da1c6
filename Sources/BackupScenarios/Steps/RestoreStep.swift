import BackupDevice
import BackupDiagnostics
import BackupJSON5

/// `restore: "label"`, or `{ label: "label", to: "sameDevice" }`: a new container with what that
/// backup holds and nothing else.
struct RestoreStep: StepAction {
  enum Source {
    /// The backup that an earlier step took, by its label.
    case label(String)
    case folder(Scenario.BackupPlace)
  }

  /// A backup, and where it is restored to.
  typealias Restore = (source: Source, destination: RestoreSimulator.Destination)

  /// The keyword, with the label of a backup.
  private static let restoreField = Field(
    "restore", .restore, default: .required, "The label of an earlier backup step.")

  static let declaration = StepDeclaration(
    restoreField, by: .system,
    "A new container with what that backup holds and nothing else, unmarked. A step before it takes "
      + "that backup, or it is a folder of the Finder's.",
    examples: [
      ["restore": "after the first download"],
      ["restore": ["label": "at night", "to": "sameDevice"]],
      ["restore": ["backup": "Fixtures/Backup", "app": "com.example.app"]],
    ])

  private let restore: Restore

  init?(reading step: ObjectReader) {
    guard let restore = step[Self.restoreField] else { return nil }
    self.restore = restore
  }

  /// The backup's name: its label, or the folder that it is in.
  var label: String {
    switch restore.source {
    case .label(let label): label
    case .folder(let place): place.label
    }
  }

  var summary: String {
    let target = restore.destination == .newDevice ? "" : " to \(restore.destination.rawValue)"
    return "restore \"\(EscapedText.escape(label))\"\(target)"
  }
  var neededLabel: String? {
    if case .label(let label) = restore.source { label } else { nil }
  }
  var installation: AppInstallation? { .installs }
  var restoresFolder: Bool { neededLabel == nil }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    switch restore.source {
    case .label(let label): try run.restore(label, to: restore.destination)
    case .folder(let place): try run.restore(from: place, to: restore.destination)
    }
  }
}

extension Form where Value == RestoreStep.Restore {
  /// The label of a backup, alone or with the device that it is restored to; or a backup's folder.
  fileprivate static var restore: Form {
    let label = Form<String>.labelOfBackup
    let (labelled, folder) = (Form.restoreTo(label), Form.restoreFromFolder)
    var form = Form(
      expected: "\(label.expected), or { label: …, to: … } or { backup: …, app: … }",
      words: "\(label.words), or object",
      schema: ["anyOf": [label.schema, labelled.schema, folder.schema]]
    ) { reader in
      guard case .object(let members) = reader.value.kind else {
        return label.read(reader).map {
          (source: .label($0), destination: .newDevice)
        }
      }
      let isFolder = members.contains { $0.key == backupKey }
      return isFolder ? folder.read(reader) : labelled.read(reader)
    }
    form.inner = labelled.inner + folder.inner.filter { $0.key != destinationField.key }
    return form
  }

  private static var destinationField: Field<RestoreSimulator.Destination> {
    Field(
      "to", .word(of: RestoreSimulator.Destination.self), default: .value("newDevice"),
      "sameDevice: the keychain comes along. newDevice: not the items that are for one device only. "
        + "transfer: as newDevice, but by the rules of a backup to a computer, whatever kind it is."
    )
  }

  /// By which key a folder is told from a label.
  private static var backupKey: String { "backup" }

  /// `{ label: "label", to: "sameDevice" }`.
  private static func restoreTo(_ label: Form<String>) -> Form {
    let labelField = Field(
      "label", label, default: .required, "The label of an earlier backup step.")
    let destinationField = destinationField
    return .object("{ label: …, to: … }", [labelField, destinationField]) {
      object -> RestoreStep.Restore? in
      guard let label = object[labelField], let destination = object[destinationField],
        !object.isMistaken(destinationField)
      else { return nil }
      return (.label(label), destination)
    }
  }

  /// `{ backup: "Fixtures/Backup", app: "com.example.app" }`.
  private static var restoreFromFolder: Form {
    let backupField = Field(
      backupKey, .besideScenarios("a backup's folder"), default: .required,
      "In the place of a label, a backup folder of the Finder's, unencrypted. Its path begins at the "
        + "folder that holds the scenario folder.")
    let appField = Field(
      "app", .bundleIdentifier, default: .inWords("the scenario's app"),
      "With a backup folder, the app in it that is restored.")
    let destinationField = destinationField
    return .object(
      "{ backup: …, app: … }", [backupField, appField, destinationField]
    ) { object -> RestoreStep.Restore? in
      guard let path = object[backupField], let destination = object[destinationField],
        !object.isMistaken(destinationField), !object.isMistaken(appField)
      else { return nil }
      let place = Scenario.BackupPlace(path: path, app: object[appField])
      return (.folder(place), destination)
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
