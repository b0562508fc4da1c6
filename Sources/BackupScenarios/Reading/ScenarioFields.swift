import BackupDevice
import BackupDiagnostics
import BackupFileTree

// The keys of a scenario file.
extension Scenario {
  static let titleField = Field(
    "title", .nonblankString("a sentence that says what the scenario shows", of: "title"),
    default: .required, "A sentence that says what the scenario shows.",
    examples: ["A movie downloaded again stays out of the backup"])
  static let requirementsField = Field(
    "requirements", .requirements,
    "Ids of the kit's requirements that this scenario demonstrates. 'backup-testing schema' lists "
      + "all ids.",
    examples: [["mark.reapply-on-save"]])
  static let tagsField = Field(
    "tags", .oneOrMore(of: .word, named: "tag", distinctAs: "tag"),
    "Words by which 'run --tag' selects the scenario, and which reports show.",
    examples: ["movies", ["movies", "slow"]])
  static let bugField = Field(
    "bug", .word, "The issue that the scenario is about, as a link or a number, for reports.",
    examples: ["https://example.com/issues/7"])
  static let appField = Field("app", .app, "The app under test.")
  static let systemsField = Field(
    "system", .oneOrMore(of: .system, named: "version of iOS", distinctAs: "system"),
    default: .value(.text(SystemProfile.newestName)),
    "The version of iOS. For a list, the scenario runs once for each version.",
    examples: ["18", ["5.0.1", "5.1", "newest"]])
  static let backupsField = Field(
    "backups", .oneOrMore(of: .backupKind, named: "kind of backup", distinctAs: "kind of backup"),
    default: .value("iCloud"),
    "Backups go to iCloud, or to a computer (local, local-encrypted). For a list, the scenario runs "
      + "once for each value. off: the user disabled iCloud Backup for the app, so backups are "
      + "empty.",
    examples: ["iCloud", ["iCloud", "local"]])
  static let guidanceField = Field(
    "guidance", .word(of: SystemProfile.Guidance.self), default: .value("honoured"),
    "honoured: backups exclude marked items. ignored: backups contain marked items too. Apple "
      + "does not guarantee that backups exclude them.")
  static let filesField = Field(
    "files", .promises, default: .inWords("no classes"),
    "Patterns of paths, each with a class. A file gets the class of the first pattern that matches. "
      + "Those of app.json5 come after them.",
    examples: [["Documents/**": "critical", "Library/Caches/**": "cached"]])
  static let defaultsField = Field(
    "defaults", .deviceValues, default: .inWords("no classes"),
    "Keys of user defaults and names of keychain items, each with a class. device: the value is for "
      + "one device, as a push token or a registration is. The app must not use it on another device.",
    examples: [["deviceToken": "device"]])
  static let goldenField = Field(
    "golden", .golden,
    "Which names and sizes vary between runs, and whether the scenario has a golden file.",
    examples: [["names": ["Documents/*.mp4": "{uuid}.mp4"]], ["compare": false]])
  static let budgetField = Field(
    "budget", .budget, default: .inWords("any size"),
    "Limits for the files in each backup.",
    examples: ["5 MB", ["**": ["size": "5 MB", "files": 500]]])
  static let storageField = Field(
    "storage", .budget, default: .inWords("any size"),
    "Limits for the app's files on the device, including files that backups exclude.",
    examples: ["2 GB", ["Library/Application Support/Movies/**": "1500 MB"]])
  static let startField = Field(
    "start", .start, default: .inWords("a new container"),
    "A captured container, which the kit copies before the first step. This needs your permission.",
    examples: [["container": "Fixtures/v1"]])
  static let launchField = Field(
    "launch", .steps(areLaunchSteps: true),
    "The app steps and assertions that happen at each launch.",
    examples: [[["perform": "didFinishLaunching"]]])
  static let stepsField = Field(
    "steps", .steps(areLaunchSteps: false), default: .required,
    "What happens, in order. The first step is number 1.")
  static let schemaField = Field(
    "$schema", .string("the place of the schema, for editors"),
    "The path of the schema, for editors.",
    examples: ["../scenario.schema.json"])

  /// Returns the field of the expected findings. The kit reads these findings after all other
  /// fields.
  static func expectFields(rules: [String]) -> Field<[ValueReader]> {
    Field(
      "expect", .expectations(rules: rules),
      "The findings that must occur. An unlisted error fails the run.")
  }

  /// Returns all fields, in the order in which messages name them.
  package static func allFields(rules: [String]) -> [any DeclaredField] {
    [
      titleField, requirementsField, tagsField, bugField, appField, systemsField, backupsField,
      guidanceField,
      filesField, defaultsField, goldenField, budgetField, storageField, startField,
      launchField, stepsField, expectFields(rules: rules), ExplorationOptions.field, schemaField,
    ]
  }
}

extension Form where Value == [Scenario.Located<String>] {
  fileprivate static var requirements: Form {
    distinct(
      "requirement ids", words: "ids", one: "a requirement id",
      schema: [
        "type": "array", "uniqueItems": true,
        "items": [
          "description": "A requirement on an app's files on iOS, by its area and name.",
          "enum": .texts(Scenario.requirementIDs),
        ],
      ], problem: { Scenario.objection(toRequirement: $0) })
  }
}

extension Form where Value == String {
  fileprivate static var word: Form {
    nonemptyString("a word", empty: "this is empty; write a word, or remove it")
  }
}

extension Form where Value == Scenario.App {
  fileprivate static var app: Form {
    let identifierField = Field(
      "bundleIdentifier", .bundleIdentifier,
      default: .value(.text(Scenario.App().bundleIdentifier)),
      "The app's bundle identifier: letters, digits and hyphens, joined by dots.")
    let versionField = Field(
      "version", .string("a version"), default: .value(.text(Scenario.App().version)),
      "The app's version before the first update.")
    let groupsField = Field(
      "groups", .groups, default: .inWords("none"),
      "The app's groups. Each group has its own container, with paths such as group.x:/a.txt.",
      examples: [["group.com.example.app"]])
    let extensionsField = Field(
      "extensions", .extensions, default: .inWords("none"),
      "The app's extensions. Each extension has its own container, with paths such as "
        + "com.example.app.widget:/a.txt.", examples: [["com.example.app.widget"]])
    return .object(
      "{ bundleIdentifier: \"com.example.app\", version: \"1.0\" }",
      [identifierField, versionField, groupsField, extensionsField]
    ) { object in
      guard let identifier = object[identifierField], let version = object[versionField] else {
        return nil
      }
      let extensions = object[extensionsField] ?? []
      for locatedExtension in extensions {
        if let problem = ContainerPath.Component.problem(
          withExtension: locatedExtension.value, of: identifier)
        {
          object.reader.collector.report(problem, at: locatedExtension.position)
        }
      }
      return Scenario.App(
        bundleIdentifier: identifier, version: version,
        groups: (object[groupsField] ?? []).map(\.value),
        extensions: extensions.map(\.value))
    }
  }
}

extension Form where Value == [Scenario.Located<String>] {
  /// The form of `defaults`: names of values, each with the class `device`, which is the only
  /// class.
  fileprivate static var deviceValues: Form {
    let expected = "{ deviceToken: \"device\", … }"
    let dataClassForm = Form<Bool>.word([("device", true)])
    return Form(
      expected: expected, words: "object of keys and `\"device\"`",
      schema: [
        "type": "object", "propertyNames": ["minLength": 1],
        "additionalProperties": dataClassForm.schema,
      ]
    ) { reader in
      guard let object = ObjectReader(reader, expected: expected) else { return nil }
      return object.keys.compactMap { key in
        let keyReader = object.reader(ofKey: key)
        if key.isEmpty { keyReader.report("the key is empty; write the key of a default") }
        return object[key].flatMap(dataClassForm.read).map { _ in
          Scenario.Located(value: key, position: keyReader.position)
        }
      }
    }
  }
}

extension Form where Value == FilePromises {
  static var promises: Form {
    let expected = "{ \"Documents/**\": \"critical\", … }"
    let dataClassForm = Form<DataClass>.word(of: DataClass.self, named: "data class")
    let meanings =
      "critical: the user's own. support: needed to run. offline: wanted without a network. cached: "
      + "only saves time. temporary: useless after the task. secret: must not leave the device."
    return Form(
      expected: expected, words: "object of patterns and classes",
      schema: [
        "type": "object", "propertyNames": Form<PathPattern>.pattern.schema,
        "additionalProperties": (["description": .text(meanings)] as Schema)
          .adding(dataClassForm.schema),
      ]
    ) { reader in
      guard let object = ObjectReader(reader, expected: expected) else { return nil }
      var promises: [FilePromises.Promise] = []
      var places: [FilePromises.DeclarationSite] = []
      for key in object.keys {
        let keyReader = object.reader(ofKey: key)
        let dataClass = object[key].flatMap(dataClassForm.read)
        guard let pattern = Form<PathPattern>.pattern.read(keyReader), let dataClass else {
          continue
        }
        if let earlierPromise = promises.prefix(100).first(where: {
          $0.pattern.surelyCovers(pattern)
        }) {
          keyReader.report(
            "'\(pattern.shown)' has no effect, because the earlier pattern "
              + "'\(earlierPromise.pattern.shown)' matches everything that it does; put the narrower "
              + "pattern first")
        }
        promises.append(FilePromises.Promise(pattern: pattern, dataClass: dataClass))
        places.append(.scenario(keyReader.position))
      }
      return FilePromises(promises: promises, declarationSites: places)
    }
  }
}
