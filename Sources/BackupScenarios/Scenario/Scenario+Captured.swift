import BackupDiagnostics

extension Scenario {
  /// What the container holds before the first step, beside what any new one has.
  package struct Start: Hashable, Sendable {
    /// The folder of a container, from the folder that holds the scenario folder.
    let container: String
    /// The list of its items' marks, from the same folder; nil for the list in the container, if
    /// it has one.
    let marks: String?
    /// Where the file says it.
    let position: SourcePosition

    /// What stands for a step while it is done.
    package var reference: StepReference {
      StepReference(number: .found, position: position, summary: "start")
    }
  }

  /// A backup folder that a step restores from.
  struct BackupPlace: Hashable, Sendable {
    /// The folder, from the folder that holds the scenario folder.
    let path: String
    /// The bundle identifier of the app that was backed up; nil for the scenario's own.
    let app: String?

    /// What golden files and messages name the backup by.
    var label: String { "folder \(path)" }
  }
}
