import BackupDiagnostics
import BackupJSON5

/// Reads a step: finds its keyword, and lets the kind it names read the rest.
enum StepDecoder {
  /// Reads one step, or notes what is wrong with it.
  static func read(
    _ value: LocatedValue, _ number: Scenario.StepReference.Number, _ collector: DiagnosticCollector
  ) -> Scenario.Step? {
    let expected = "a step such as { save: \"Documents/a.txt\", size: \"1 KB\" }"
    guard var object = ObjectReader(value, expected: expected, collector),
      let kind = kind(of: object), let subject = object.optional(kind.keyword)
    else { return nil }
    if case .launch = number, kind.actor == .system {
      collector.error(
        "'\(kind.keyword)' is the system's and cannot stand in 'launch'; move it to 'steps'",
        at: value.position)
      return nil
    }
    var reader = StepReader(object: object, subject: subject)
    let action = kind.init(reading: &reader)
    let failure = kind.actor == .app ? reader.expectedFailure() : reader.refuseExpectedFailure()
    reader.object.refuseUnknownKeys()
    guard let action else { return nil }
    let reference = Scenario.StepReference(
      number: number, position: value.position, summary: action.summary)
    return Scenario.Step(reference: reference, expectedFailure: failure, action: action)
  }

  /// The kind of step that an object's keys name, or a noted mistake.
  private static func kind(of object: ObjectReader) -> (any StepAction.Type)? {
    let keywords = object.keys.filter(StepKind.keywords.contains)
    if keywords.count > 1 {
      object.collector.error(
        "a step does one thing, but '\(keywords[0])' and '\(keywords[1])' both stand here; "
          + "make two steps", at: object.keyPosition(keywords[1]))
      return nil
    }
    if let keyword = keywords.first { return StepKind.all.first { $0.keyword == keyword } }
    guard let key = object.keys.first else {
      object.collector.error("the step is empty; say what happens", at: object.position)
      return nil
    }
    let advice = NearestWord.advice(for: key, in: StepKind.keywords)
    object.collector.error(
      "there is no step '\(key.shown)'; \(advice)", at: object.keyPosition(key))
    return nil
  }
}
