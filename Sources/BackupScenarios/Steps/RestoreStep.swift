import BackupDevice
import BackupJSON5

extension StepKind {
  static let restore: StepKind = {
    let restore = Field(
      "restore", .restore, default: .required, "The label of an earlier backup step.")
    return StepKind(
      .restore, restore,
      "The app gets a new container with the contents of a backup. Restored items have no marks. "
        + "The backup comes from an earlier step, or from a folder that the Finder wrote.",
      examples: [
        ["restore": "after the first download"],
        ["restore": ["label": "at night", "to": "sameDevice"]],
        ["restore": ["backup": "Fixtures/Backup", "app": "com.example.app"]],
      ]
    ) { $0[restore].map { .system($0) } }
  }()
}

extension Form where Value == SystemStep {
  fileprivate static var restore: Form {
    let labelForm = Form<String>.labelOfBackup
    let (labelledForm, folderForm) = (Form.restoreByLabel(labelForm), Form.restoreFromFolder)
    var form = Form(
      expected: "\(labelForm.expected), or { label: …, to: … } or { backup: …, app: … }",
      words: "\(labelForm.words), or object",
      schema: ["anyOf": [labelForm.schema, labelledForm.schema, folderForm.schema]]
    ) { reader in
      guard case .object(let members) = reader.value.kind else {
        return labelForm.read(reader).map { .restore($0, to: .newDevice) }
      }
      let namesFolder = members.contains { $0.key == backupKey }
      return namesFolder ? folderForm.read(reader) : labelledForm.read(reader)
    }
    // The table of keys in the documentation lists both objects together. In this table, no key is
    // always required.
    form.nestedFields = [
      labelField(labelForm, default: .inWords("required without 'backup'")), destinationField,
      backupField(default: .inWords("required without 'label'")), appField,
    ]
    return form
  }

  private static var destinationField: Field<RestoreSimulator.Destination> {
    Field(
      "to", .word(of: RestoreSimulator.Destination.self, named: "destination"),
      default: .value("newDevice"),
      "sameDevice: iOS also restores all keychain items. newDevice: if 'backups' is "
        + "\"local-encrypted\", iOS also restores the ordinary keychain items. Otherwise, iOS "
        + "restores no keychain items. transfer: a new device gets the files directly from the old "
        + "device, even if 'backups' is \"off\". The new device gets no keychain items.")
  }

  /// The key by which the reader recognizes the object for a backup folder.
  private static var backupKey: String { "backup" }

  private static func labelField(_ labelForm: Form<String>, default: FieldDefault) -> Field<String>
  {
    Field("label", labelForm, default: `default`, "The label of an earlier backup step.")
  }

  private static func backupField(default: FieldDefault) -> Field<String> {
    Field(
      backupKey, .pathBesideScenarios("a backup's folder"), default: `default`,
      "The folder of an unencrypted backup that the Finder wrote. The path is relative to the "
        + "folder that contains the scenario folder.")
  }

  private static var appField: Field<String> {
    Field(
      "app", .bundleIdentifier, default: .inWords("the scenario's app"),
      "The bundle identifier of the app whose data iOS restores from 'backup'.")
  }

  private static func restoreByLabel(_ labelForm: Form<String>) -> Form {
    let labelField = labelField(labelForm, default: .required)
    let destinationField = destinationField
    return .object("{ label: …, to: … }", [labelField, destinationField]) {
      object -> SystemStep? in
      guard let label = object[labelField], let destination = object[destinationField],
        !object.isInvalid(destinationField)
      else { return nil }
      return .restore(label, to: destination)
    }
  }

  private static var restoreFromFolder: Form {
    let (backupField, appField) = (backupField(default: .required), appField)
    let destinationField = destinationField
    return .object(
      "{ backup: …, app: … }", [backupField, appField, destinationField]
    ) { object -> SystemStep? in
      guard let path = object[backupField], let destination = object[destinationField],
        !object.isInvalid(destinationField), !object.isInvalid(appField)
      else { return nil }
      return .restoreFolder(
        Scenario.BackupFolderReference(path: path, app: object[appField]), to: destination)
    }
  }
}

extension Form where Value == String {
  /// The form of a backup's label. Only the schema refuses an empty label. The reader accepts it,
  /// because the kit later reports that no backup has this label.
  static var labelOfBackup: Form {
    string("the label of an earlier backup step")
      .described(by: ["type": "string", "minLength": 1])
  }
}
