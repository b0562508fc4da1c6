import BackupContainer
import BackupDevice
import BackupDiagnostics
package import BackupFileTree

extension Scenario.StepReference {
  /// What stands for a step where things were found as they are.
  package static let found = Scenario.StepReference(
    number: .found, position: SourcePosition(line: 1, column: 1), summary: "found")
}

extension Transcript {
  /// The label of the backup that is taken of a container as it was found.
  package static let foundLabel = "now"

  /// The transcript of containers that were found as they are: the marks in them, what is directly
  /// in Library, and one backup. How the containers came to be is unknown.
  package init(finding tree: FileTree, _ configuration: SessionConfiguration, named name: String) {
    let profile = configuration.profile
    let scenario = configuration.scenario(named: name, file: name)
    self.init(
      scenario: scenario, variant: scenario.variants[0], firstTree: tree)
    let set = BackupSimulator(profile: profile, backups: configuration.backups).backUp(tree)
    let backup = FakeContainer.Backup(label: Self.foundLabel, tree: tree, contents: set)
    entries = [Event.changes(tree.signs), .backup(backup)].map {
      Entry(step: .found, event: $0, tree: tree, profile: profile)
    }
  }
}

extension FileTree {
  /// What an app is known to have done where its containers are like this.
  fileprivate var signs: [Change] {
    var signs = containerNames.flatMap { name in
      let library = ContainerPath(ContainerPath.StandardLocation.library.path, inContainer: name)
      return (self[library]?.children.entries ?? []).map {
        Change.created(library.appending($0.name))
      }
    }
    visit {
      !$0.marks.isEmpty
    } _: { path, item in
      signs.append(.marked(path, item.marks))
    }
    return signs
  }
}
