import AppContainer
import DeviceSimulation

/// Reads an expected finding.
enum ExpectationReader {
  /// Reads one, or notes what is wrong with it.
  static func read(
    _ value: LocatedValue, _ counts: (launch: Int, steps: Int), _ collector: DiagnosticCollector
  ) -> Expectation? {
    let expected = "a finding such as { rule: \"reapply-on-save\", step: 5, path: \"…\" }"
    guard var reader = ObjectReader(value, expected: expected, collector) else { return nil }
    let rule = reader.required("rule", "the name of a rule")?
      .word(RuleList.all.map { ($0.name, $0.name) }, collector)
    let severity = reader.optional("severity")?.word(of: Finding.Severity.self, collector)
    let step = reader.optional("step").flatMap { Self.step($0, counts, collector) }
    let path = reader.optional("path")?.path(collector)
    let systems = reader.optional("system")?.oneOrMore("version of iOS", collector)
      .compactMap { $0.systemProfile(collector)?.version }
    let backups = reader.optional("backups")?.oneOrMore("kind of backup", collector)
      .compactMap { $0.word(of: BackupKind.self, collector) }
    reader.refuseUnknownKeys()
    guard let rule else { return nil }
    return Expectation(
      rule: rule, severity: severity, step: step, path: path, systems: systems, backups: backups,
      position: value.position)
  }

  /// The step that an expectation names: `5` or `"launch 1"`.
  private static func step(
    _ value: LocatedValue, _ counts: (launch: Int, steps: Int), _ collector: DiagnosticCollector
  ) -> StepReference.Number? {
    if case .number(let number) = value.kind, let step = number.integer {
      if (1...Int64(max(1, counts.steps))).contains(step) { return .step(Int(step)) }
      collector.error(
        "there is no step \(step); the scenario has \(counts.steps)", at: value.position)
      return nil
    }
    if case .string(let text) = value.kind, text.hasPrefix("launch "),
      let step = Int(text.dropFirst(7)), step > 0, step <= counts.launch
    {
      return .launch(step)
    }
    collector.error(
      "expected a step's number, or \"launch 1\" up to \"launch \(counts.launch)\"",
      at: value.position)
    return nil
  }
}
