package import BackupContainer
import BackupDevice
import BackupDiagnostics
package import BackupFileTree
import BackupScenarios

extension Inspection {
  /// Inspects a container that was found on disk. A list of its items that a build of the app left
  /// in it is no part of it. `list` has its attributes, with the name of that file.
  package init(
    of container: FoundContainer, _ context: Context,
    marks list: (name: String, contents: ContainerList)? = nil
  ) {
    var (context, tree) = (context, container.tree)
    let name = tree.children.entries.first?.name
    let place = ContainerPath(
      ContainerList.place, inContainer: name.flatMap { $0.isContainer ? $0 : nil })
    let hasList = tree.remove(place) != nil
    if !container.isLikely {
      context.notes.append(
        "Documents, Library and tmp are all missing, so this may not be an app's container")
    }
    if let list {
      let outcome = list.contents.mark(tree)
      tree = outcome.tree
      context.take(list.contents, outcome, named: list.name)
    } else if !tree.hasMarks {
      context.notes.append(
        "no item has a mark, and a copy may have lost its extended attributes; name a list of the "
          + "marks with --marks" + (hasList ? ", such as the file '\(place)' in it" : ""))
    }
    self.init(of: tree, context)
  }
}

extension Inspection.Context {
  /// Takes what a list of the container's items says beside their marks.
  fileprivate mutating func take(
    _ list: ContainerList, _ outcome: ContainerList.MarkedTree, named name: String
  ) {
    notes.append("\(outcome.markedCount.counted("item")) marked by the list \(name)")
    if let first = outcome.missing.first {
      let count = outcome.missing.count
      notes.append(
        "\(count.counted("item")) of the list \(count.form("is", plural: "are")) missing here, "
          + "such as '\(first.shown)'")
    }
    if outcome.unlistedCount > 0 {
      notes.append("\(outcome.unlistedCount.counted("item")) here, but not in the list")
    }
    // A phone says 26.0.1 where the rules are those of 26.
    let system = configuration.profile.version
    if SystemVersion(list.system).flatMap(SystemProfile.newest)?.version != system {
      notes.append("the list was written under iOS \(list.system.shown), not under \(system)")
    }
    if let identifier, identifier != list.bundleIdentifier {
      notes.append("the list is of '\(list.bundleIdentifier.shown)', not of \(identifier)")
    } else if identifier == nil,
      ContainerPath.Component.problem(withApp: list.bundleIdentifier) == nil
    {
      identifier = list.bundleIdentifier
      configuration.app.bundleIdentifier = list.bundleIdentifier
    }
  }
}
