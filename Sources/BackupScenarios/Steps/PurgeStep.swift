import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupJSON5

/// `purge: "lowStorage"`, `"criticalStorage"` or a list of patterns.
struct PurgeStep: StepAction {
  static let keyword = "purge"

  /// How badly storage is needed.
  let pressure: StoragePressure

  init?(reading step: inout StepReader) {
    if case .string = step.subject.kind {
      let words: [(String, StoragePressure)] = [
        ("lowStorage", .lowStorage), ("criticalStorage", .criticalStorage),
      ]
      guard let pressure = step.subject.word(words, step.collector) else { return nil }
      self.pressure = pressure
      return
    }
    let expected = "patterns, or 'lowStorage' or 'criticalStorage'"
    guard let values = step.subject.array(of: expected, step.collector) else { return nil }
    if values.isEmpty {
      step.collector.error(
        "the list is empty; expected at least one pattern", at: step.subject.position)
    }
    self.pressure = .files(values.compactMap { Self.purgeablePattern($0, step.collector) })
  }

  /// A pattern of files that the system may take at all.
  private static func purgeablePattern(
    _ value: LocatedValue, _ collector: DiagnosticCollector
  ) -> PathPattern? {
    guard let pattern = value.pattern(collector) else { return nil }
    if !pattern.isPurgeable {
      collector.error(
        "the system purges nothing but Library/Caches and tmp; begin the pattern with one of them",
        at: value.position)
    }
    return pattern
  }

  var summary: String { "purge \(EscapedText.escape(pressure.description))" }
  static let actor = StepActor.system

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.purge(pressure)
  }
}
