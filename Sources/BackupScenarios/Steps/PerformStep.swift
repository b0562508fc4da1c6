import BackupDiagnostics
import BackupJSON5

/// `perform: "name", with: {…}`: the app's own code, bound by name in the test.
struct PerformStep: StepAction {
  static let keyword = "perform"

  /// The action's name.
  let name: String
  /// What it is called with.
  let arguments: ActionArguments

  init?(reading step: inout StepReader) {
    let name = step.subject.string("the name of an action", step.collector)
    let members = Self.members(of: step.optional("with"), step.collector)
    guard let name else { return nil }
    if name.isEmpty {
      step.collector.error(
        "the name is empty; expected the name of an action", at: step.subject.position)
    }
    self.name = name
    self.arguments = ActionArguments(members, of: name)
  }

  /// The members of `with`, which has to be an object.
  private static func members(
    of value: LocatedValue?, _ collector: DiagnosticCollector
  ) -> [LocatedValue.Member] {
    guard let value, ObjectReader(value, expected: "arguments: { name: value }", collector) != nil,
      case .object(let members) = value.kind
    else { return [] }
    return members
  }

  var summary: String { "perform \(EscapedText.escape(name))" }
  static let actor = StepActor.app

  func perform(in run: inout ScenarioRun) async throws(StepFailure) {
    guard let binding = run.actions.bindings[name] else {
      throw StepFailure(
        UnboundAction.message(name, arguments, bound: run.actions.names), canBeExpected: false)
    }
    let call = ActionCall(
      name: name, container: run.container, appVersion: run.appVersion,
      launchCount: run.launchCount, arguments: arguments)
    try await run.watch(probing: binding.probesMarks) { try await binding.code(call) }
  }
}
