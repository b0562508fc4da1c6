import BackupDiagnostics
import BackupFileTree
import BackupJSON5

/// `updateApp: "2.0"`: a new bundle and container path; `keeping` names what is carried over too.
struct UpdateAppStep: StepAction {
  static let keyword = "updateApp"

  /// The new version.
  let version: String
  /// What this update carries over beside Documents and Library.
  let keeping: [ContainerPath]

  init?(reading step: inout StepReader) {
    let expected = "the new version, such as \"2.0\""
    let version = step.subject.string(expected, step.collector)
    if version?.isEmpty == true {
      step.collector.error(
        "the version is empty; expected \(expected)", at: step.subject.position)
    }
    let kept = step.optional("keeping")?.array(of: "paths", step.collector) ?? []
    let collector = step.collector
    self.keeping = kept.compactMap { $0.path(collector) }
    guard let version else { return nil }
    self.version = version
  }

  var summary: String { "updateApp \(EscapedText.escape(version))" }
  static let actor = StepActor.system

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.updateApp(to: version, keeping: keeping)
  }
}
