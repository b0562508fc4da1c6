import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupJSON5

/// Reads one scenario from the bytes of its file, noting every mistake.
package struct ScenarioReader {
  /// Where the mistakes go.
  let collector: DiagnosticCollector
  /// The scenario's id.
  let id: String
  /// The names of the rules, which an expectation may use.
  let rules: [String]

  /// The largest scenario file, in bytes.
  package static let largestFile = 4_000_000
  /// The most steps a scenario may have.
  static let mostSteps = 10_000

  /// Reads a scenario.
  ///
  /// - Parameters:
  ///   - bytes: The file's contents.
  ///   - id: The scenario's id.
  ///   - file: The file, as it was named to the kit.
  ///   - rules: The names of the rules that a finding may come from.
  /// - Returns: The scenario.
  /// - Throws: ``ScenarioFileError`` with every mistake.
  package static func read(
    _ bytes: [UInt8], id: String, file: String, rules: [String]
  ) throws(ScenarioFileError) -> Scenario {
    let reader = ScenarioReader(collector: DiagnosticCollector(file: file), id: id, rules: rules)
    let scenario = reader.scenario(in: bytes)
    guard let scenario, reader.collector.diagnostics.isEmpty else {
      throw ScenarioFileError(reader.collector.diagnostics.sorted { $0.position < $1.position })
    }
    return scenario
  }

  /// The scenario in a file's bytes; nil when there is nothing to go on with.
  ///
  /// The id names the golden file too, so it must not lead out of that folder.
  private func scenario(in bytes: [UInt8]) -> Scenario? {
    let start = SourcePosition(line: 1, column: 1)
    do throws(ContainerPathError) {
      _ = try ContainerPath(id)
    } catch {
      collector.error("the scenario's id \(error)", at: start)
      return nil
    }
    guard bytes.count <= Self.largestFile else {
      collector.error("the file has \(bytes.count) bytes; at most \(Self.largestFile)", at: start)
      return nil
    }
    do throws(JSON5SyntaxError) {
      let value = try JSON5Reader.read(bytes)
      guard
        var reader = ObjectReader(
          value, expected: "a scenario: { title: …, steps: […] }", collector)
      else { return nil }
      return scenario(&reader)
    } catch {
      collector.error(error.message.withoutCapital, at: error.position)
      return nil
    }
  }

  /// The scenario in an object.
  private func scenario(_ reader: inout ObjectReader) -> Scenario? {
    let title = self.title(&reader)
    let requirements = RequirementReader.read(reader.optional("requirements"), collector)
    let app = self.app(&reader)
    let systems = self.systems(&reader)
    let backups = self.backups(&reader)
    let guidance = reader.optional("guidance")?.word(of: SystemProfile.Guidance.self, collector)
    let files = self.files(&reader)
    let budget = reader.optional("budget")?.byteSize(collector)
    let launch = steps(reader.optional("launch"), isLaunch: true)
    let steps = steps(reader.required("steps", "a list of steps"), isLaunch: false)
    if let steps { RestoreReader.check(steps, collector) }
    let counts = (launch: launch?.count, steps: steps?.count)
    let expectations = reader.optional("expect")?.array(of: "findings", collector) ?? []
    let found = expectations.compactMap {
      ExpectationReader.read($0, counts, (systems, backups), rules: rules, collector)
    }
    _ = reader.optional("$schema")?.string("where the schema is, for editors", collector)
    reader.refuseUnknownKeys()
    return Scenario(
      id: id, file: collector.file, title: title ?? "", requirements: requirements, app: app,
      systems: systems, backups: backups, guidance: guidance ?? .honoured, files: files,
      budget: budget, launch: (launch ?? []).compactMap(\.self),
      steps: (steps ?? []).compactMap(\.self), expectations: found)
  }

  /// The title, which has to say something.
  private func title(_ reader: inout ObjectReader) -> String? {
    let expected = "a sentence that says what the scenario shows"
    guard let value = reader.required("title", expected) else { return nil }
    let title = value.string(expected, collector)
    if title?.unicodeScalars.allSatisfy(\.properties.isWhitespace) == true {
      collector.error("the title is empty; expected \(expected)", at: value.position)
    }
    return title
  }

  /// The app.
  private func app(_ reader: inout ObjectReader) -> Scenario.App {
    var app = Scenario.App()
    let expected = "{ bundleIdentifier: \"com.example.app\", version: \"1.0\" }"
    guard let value = reader.optional("app"),
      var appReader = ObjectReader(value, expected: expected, collector)
    else { return app }
    if let value = appReader.optional("bundleIdentifier") {
      app.bundleIdentifier = value.bundleIdentifier(collector) ?? app.bundleIdentifier
    }
    if let version = appReader.optional("version")?.string("a version", collector) {
      app.version = version
    }
    appReader.refuseUnknownKeys()
    return app
  }

  /// The versions of iOS.
  private func systems(_ reader: inout ObjectReader) -> [SystemVersion] {
    guard let value = reader.optional("system") else {
      return SystemProfile.newest.map { [$0.version] } ?? []
    }
    return distinct(value.oneOrMore("version of iOS", collector), named: "system") {
      $0.systemProfile(collector)?.version
    }
  }

  /// The kinds of backup.
  private func backups(_ reader: inout ObjectReader) -> [BackupKind] {
    guard let value = reader.optional("backups") else { return [.iCloud] }
    return distinct(value.oneOrMore("kind of backup", collector), named: "kind of backup") {
      $0.word(of: BackupKind.self, collector)
    }
  }

  /// The values of a list in which none may stand twice.
  private func distinct<Value: Hashable>(
    _ values: [LocatedValue], named name: String, _ read: (LocatedValue) -> Value?
  ) -> [Value] {
    var found: [Value] = []
    for value in values {
      guard let next = read(value) else { continue }
      if found.contains(next) {
        collector.error("this \(name) stands here twice; keep one", at: value.position)
      }
      found.append(next)
    }
    return found
  }

  /// The classes of the app's files.
  private func files(_ reader: inout ObjectReader) -> FilePromises? {
    let expected = "{ \"Documents/**\": \"critical\", … }"
    guard let value = reader.optional("files"),
      var files = ObjectReader(value, expected: expected, collector)
    else { return nil }
    var promises: [FilePromises.Promise] = []
    for key in files.keys {
      let name = LocatedValue(kind: .string(key), position: files.keyPosition(key))
      let dataClass = files.optional(key)?.word(of: DataClass.self, collector)
      guard let pattern = name.pattern(collector), let dataClass else { continue }
      refuseIdle(pattern, after: promises, at: name.position)
      promises.append(FilePromises.Promise(pattern: pattern, dataClass: dataClass))
    }
    return FilePromises(promises: promises)
  }

  /// Refuses a pattern that can never decide, because an earlier one matches all that it does.
  private func refuseIdle(
    _ pattern: PathPattern, after promises: [FilePromises.Promise], at position: SourcePosition
  ) {
    let earlier = promises.prefix(100).first { $0.pattern.surelyCovers(pattern) }
    guard let earlier else { return }
    collector.error(
      "'\(pattern.shown)' can never decide, because '\(earlier.pattern.shown)' stands before it and "
        + "matches all that it does; put the narrower pattern first", at: position)
  }

  /// The steps of a list, nil for each that could not be read; nil where there is no such list.
  private func steps(_ value: LocatedValue?, isLaunch: Bool) -> [Scenario.Step?]? {
    guard let value else { return isLaunch ? [] : nil }
    guard let values = value.array(of: "steps", collector) else { return nil }
    if values.count > Self.mostSteps {
      collector.error(
        "\(values.count) steps are too many; at most \(Self.mostSteps)", at: values[0].position)
      return nil
    }
    return values.enumerated().map { index, value in
      let number: Scenario.StepReference.Number = isLaunch ? .launch(index + 1) : .step(index + 1)
      return StepDecoder.read(value, number, collector)
    }
  }
}

extension String {
  /// The sentence as a message has it: without a capital at its begin and a period at its end.
  fileprivate var withoutCapital: String {
    prefix(1).lowercased() + dropFirst().dropLast(hasSuffix(".") ? 1 : 0)
  }
}
