import BackupDevice
import BackupJSON5

/// Reads an expected finding.
enum ExpectationReader {
  /// Reads one, or notes what is wrong with it.
  ///
  /// - Parameters:
  ///   - value: The expectation.
  ///   - counts: How many steps there are, nil where the list of them could not be read.
  ///   - variants: What the scenario runs under.
  ///   - rules: The names of the rules that there are.
  ///   - collector: Where the mistakes go.
  /// - Returns: The expectation, nil without a rule.
  static func read(
    _ value: LocatedValue, _ counts: (launch: Int?, steps: Int?),
    _ variants: (systems: [SystemVersion], backups: [BackupKind]), rules: [String],
    _ collector: DiagnosticCollector
  ) -> Scenario.Expectation? {
    let expected = "a finding such as { rule: \"reapply-on-save\", step: 5, path: \"…\" }"
    guard var reader = ObjectReader(value, expected: expected, collector) else { return nil }
    let rule = reader.required("rule", "the name of a rule")?
      .word(rules.map { ($0, $0) }, collector)
    let severity = reader.optional("severity")?.word(of: Scenario.Severity.self, collector)
    let step = reader.optional("step").flatMap { Self.step($0, counts, collector) }
    let path = reader.optional("path")?.path(collector)
    let systems = reader.optional("system")?.oneOrMore("version of iOS", collector)
      .compactMap { value -> SystemVersion? in
        let version = value.systemProfile(collector)?.version
        return value.checked(version, isIn: variants.systems, { "iOS \($0)" }, collector)
      }
    let backups = reader.optional("backups")?.oneOrMore("kind of backup", collector)
      .compactMap { value -> BackupKind? in
        let kind = value.word(of: BackupKind.self, collector)
        return value.checked(kind, isIn: variants.backups, \.rawValue, collector)
      }
    reader.refuseUnknownKeys()
    guard let rule else { return nil }
    return Scenario.Expectation(
      rule: rule, severity: severity, step: step, path: path, systems: systems, backups: backups,
      position: value.position)
  }

  /// The step that an expectation names: `5` or `"launch 1"`.
  private static func step(
    _ value: LocatedValue, _ counts: (launch: Int?, steps: Int?), _ collector: DiagnosticCollector
  ) -> Scenario.StepReference.Number? {
    if case .number(let number) = value.kind, let step = number.integer {
      guard let count = counts.steps else { return .step(Int(step)) }
      if step >= 1, step <= count { return .step(Int(step)) }
      let steps = count == 1 ? "1 step" : "\(count) steps"
      collector.error("there is no step \(step); the scenario has \(steps)", at: value.position)
      return nil
    }
    if case .string(let text) = value.kind, let step = Int(text.dropFirst(7)),
      text == "launch \(step)", step > 0, step <= counts.launch ?? step
    {
      return .launch(step)
    }
    let launch =
      switch counts.launch ?? 0 {
      case 0: ""
      case 1: ", or \"launch 1\""
      case let most: ", or \"launch 1\" up to \"launch \(most)\""
      }
    collector.error("expected a step's number from 1 on\(launch)", at: value.position)
    return nil
  }
}

extension LocatedValue {
  /// What was read, if the scenario runs under it; the finding could never come otherwise.
  fileprivate func checked<Value: Equatable>(
    _ value: Value?, isIn list: [Value], _ name: (Value) -> String,
    _ collector: DiagnosticCollector
  ) -> Value? {
    guard let value, !list.contains(value), !list.isEmpty else { return value }
    let all = list.map(name).joined(separator: ", ")
    collector.error(
      "the scenario does not run under \(name(value)), just under \(all)", at: position)
    return nil
  }
}
