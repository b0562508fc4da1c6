import BackupDevice
package import BackupDiagnostics
import BackupFileTree
import BackupJSON5

/// Reads a scenario file, and reports every mistake in it.
package struct ScenarioReader {
  let collector: MistakeCollector
  private let id: String
  /// The path of the file, as it was given to the kit.
  private let file: String
  /// The names of the rules, which an expectation may use.
  private let rules: [String]

  /// The maximum size of a file in bytes.
  package static let maximumFileSize = 4_000_000
  static let maximumMistakeCount = 1000
  static let maximumStepCount = 10_000

  /// Reads a scenario from the bytes of its file, or throws all mistakes in it.
  package static func read(
    _ bytes: [UInt8], id: String, file: String, rules: [String]
  ) throws(RunError) -> Scenario {
    try collectingMistakes(in: file) { collector in
      ScenarioReader(collector: collector, id: id, file: file, rules: rules).scenario(in: bytes)
    }
  }

  /// Reads the classes in an ``AppFile`` from its bytes, or throws all mistakes in it. Returns nil
  /// if the file has no classes.
  package static func readAppFile(
    _ bytes: [UInt8], file: String
  ) throws(RunError) -> FilePromises? {
    let files = try collectingMistakes(in: file) { collector -> FilePromises? in
      let object = object(
        in: bytes, expected: "the classes of the app's files: { files: { … } }", collector)
      if object?.keys.contains("steps") == true {
        collector.report(
          "\(AppFile.name) gives the classes of the app's files in all scenarios; give a scenario another "
            + "name", at: .start)
        return nil
      }
      let pattern = object?.keys.first { $0.contains("/") || $0.contains("*") }
      if let object, let pattern, object[AppFile.filesField.key] == nil {
        collector.report(
          "the patterns must be in 'files': write { files: { \"\(pattern.escapedExcerpt)\": … } }",
          at: object.keyPosition(pattern))
        return nil
      }
      return object.flatMap { $0.reading(AppFile.fields)[AppFile.filesField] }
    }
    return files.promises.isEmpty ? nil : files.shared(by: file)
  }

  /// Reads a file, or throws all mistakes in it.
  private static func collectingMistakes<Value>(
    in file: String, _ read: (MistakeCollector) -> Value?
  ) throws(RunError) -> Value {
    let collector = MistakeCollector()
    let value = read(collector)
    guard let value, collector.mistakes.isEmpty else {
      let mistakes = collector.mistakes.sorted { $0.position < $1.position }
      var diagnostics = mistakes.prefix(maximumMistakeCount).map {
        ScenarioDiagnostic(file: file, position: $0.position, message: $0.message)
      }
      let omittedMistakes = mistakes.dropFirst(maximumMistakeCount)
      if let firstOmitted = omittedMistakes.first {
        let message =
          "\(omittedMistakes.count.counted("more mistake")) from here on; fix those above first"
        diagnostics.append(
          ScenarioDiagnostic(file: file, position: firstOmitted.position, message: message))
      }
      throw RunError(diagnostics)
    }
    return value
  }

  /// Returns the scenario in a file's bytes; nil after a mistake that prevents further reading.
  ///
  /// The id also names the golden file, so it must not lead out of the folder of golden files.
  private func scenario(in bytes: [UInt8]) -> Scenario? {
    do throws(RunError) {
      _ = try ContainerPath(id)
    } catch {
      collector.report("the scenario's id \(error)", at: .start)
      return nil
    }
    return Self.object(in: bytes, expected: "a scenario: { title: …, steps: […] }", collector)
      .map(scenario)
  }

  /// Returns the object in a file's bytes; nil after a mistake that prevents further reading.
  private static func object(
    in bytes: [UInt8], expected: String, _ collector: MistakeCollector
  ) -> ObjectReader? {
    guard bytes.count <= maximumFileSize else {
      collector.report(
        "the file is larger than \(maximumFileSize.formattedSize), the most that the kit reads; "
          + "split the scenario",
        at: .start)
      return nil
    }
    do throws(SyntaxError) {
      let reader = ValueReader(value: try JSON5Reader.read(bytes), collector: collector)
      return ObjectReader(reader, expected: expected)
    } catch {
      collector.report(error.embeddedMessage, at: error.position)
      return nil
    }
  }

  private func scenario(_ object: ObjectReader) -> Scenario {
    let object = object.reading(Scenario.allFields(rules: rules))
    let launch = object[Scenario.launchField] ?? (object["launch"] == nil ? [] : nil)
    let steps = object[Scenario.stepsField]
    let systems = object[Scenario.systemsField] ?? []
    let backups = object[Scenario.backupsField] ?? []
    let app = object[Scenario.appField] ?? Scenario.App()
    if let steps {
      refuseStepsOutOfOrder(steps, launch: launch ?? [], systems: systems, app.version)
    }
    defer {
      if !object.isInvalid(Scenario.appField) { refuseUndeclaredContainers(of: app) }
    }
    var scenario = Scenario(
      id: id, file: file, title: object[Scenario.titleField] ?? "",
      requirements: object[Scenario.requirementsField] ?? [],
      app: app, systems: systems.map(\.version),
      newestSystem: systems.first(where: \.isNewest)?.version, backups: backups,
      guidance: object[Scenario.guidanceField] ?? .honoured,
      files: object[Scenario.filesField],
      goldenOptions: object[Scenario.goldenField] ?? GoldenOptions(),
      budget: object[Scenario.budgetField], storage: object[Scenario.storageField],
      start: object[Scenario.startField],
      launch: (launch ?? []).compactMap(\.self), steps: (steps ?? []).compactMap(\.self),
      expectations: expectations(in: object) {
        ExpectationFields(
          rules: rules, launchCount: launch?.count, stepCount: steps?.count,
          systems: systems.map(\.version), backups: backups)
      })
    scenario.exploration = object[Scenario.ExplorationOptions.field] ?? scenario.exploration
    scenario.deviceValueNames = object[Scenario.defaultsField] ?? []
    scenario.tags = object[Scenario.tagsField] ?? []
    scenario.titlePosition = object.keyPosition(Scenario.titleField.key)
    scenario.bug = object[Scenario.bugField]
    scenario.fileValue = object.reader.value
    return scenario
  }

  /// Returns the expected findings. Calls `makeFields` only if the scenario has expected findings.
  private func expectations(
    in object: ObjectReader, by makeFields: () -> ExpectationFields
  ) -> [Scenario.Expectation] {
    let readers = object[Scenario.expectFields(rules: rules)] ?? []
    return readers.isEmpty ? [] : readers.compactMap(makeFields().read)
  }

  /// Reports each path and pattern that names a container that the app does not have.
  func refuseUndeclaredContainers(of app: Scenario.App) {
    let declaredContainers = app.containerNames.compactMap { ContainerPath(ifValid: $0.string) }
    var isDeclaredByName: [String: Bool] = [:]
    for reference in collector.containerReferences {
      let name = reference.name
      let isDeclared =
        isDeclaredByName[name]
        ?? PathPattern(ifValid: name).map { pattern in
          declaredContainers.contains(where: pattern.matches)
        }
        ?? false
      isDeclaredByName[name] = isDeclared
      if !isDeclared {
        collector.report(
          "there is no container '\(name.escapedExcerpt)'; \(advice(on: name, of: app))",
          at: reference.position
        )
      }
    }
  }

  /// Returns advice on the name of a container that the app does not have.
  private func advice(on name: String, of app: Scenario.App) -> String {
    let declaredNames = app.containerNames.map(\.string)
    let identifier = String(name.dropLast())
    if identifier == app.bundleIdentifier {
      return "the app's own container has no prefix: remove it"
    }
    guard
      name.contains(where: { "*?".contains($0) })
        || ContainerPath.Component(containerOf: identifier).isContainer
    else {
      return "write the identifier of a group or an extension before the colon, as in "
        + "'group.com.example.app:/a'"
    }
    let isGroup = identifier.hasPrefix("group.")
    let key = isGroup ? "groups" : "extensions"
    let appEntry = "write app: { \(key): [\"\(identifier.escapedExcerpt)\"] }"
    guard !name.contains(where: { "*?".contains($0) }) else {
      return declaredNames.isEmpty
        ? "the app has no groups and no extensions"
        : "the app has \(declaredNames.map { "'\($0.escapedExcerpt)'" }.joinedInWords)"
    }
    if let nearestName = NearestWord.to(name, in: declaredNames) {
      return "did you mean '\(nearestName.escapedExcerpt)'? If not, also \(appEntry)"
    }
    let otherContainers =
      declaredNames.isEmpty
      ? ""
      : "; the app has \(declaredNames.prefix(10).map { "'\($0.escapedExcerpt)'" }.joinedInWords)"
    return appEntry + otherContainers
  }
}

extension SyntaxError {
  /// The message without its capital letter and its period, for use within another message.
  var embeddedMessage: String {
    message.prefix(1).lowercased() + message.dropFirst().dropLast(message.hasSuffix(".") ? 1 : 0)
  }
}

extension Scenario.App {
  /// The problem with the app's identifiers; nil if they are valid.
  package var identifierProblem: String? {
    ContainerPath.Component.problem(withApp: bundleIdentifier)
      ?? ContainerPath.Component.problem(
        withGroups: groups, extensions: extensions, of: bundleIdentifier)
  }

  /// The names that paths use for the containers of groups and extensions, such as `group.x:`.
  /// Groups are first.
  var containerNames: [ContainerPath.Component] {
    (groups + extensions).map(ContainerPath.Component.init(containerOf:))
  }
}
