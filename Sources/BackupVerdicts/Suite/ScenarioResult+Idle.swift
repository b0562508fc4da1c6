import BackupCollections
import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios

extension ScenarioResult {
  /// What did nothing, though all runs came to their end: a scenario may be green for that reason.
  var idleProblems: [Scenario.Problem] {
    guard runs.count == scenario.variants.count, !runs.contains(where: \.hasBrokenOff) else {
      return []
    }
    return idlePatterns + idleCode
  }

  /// The patterns of `files` that no file of any run matches.
  private var idlePatterns: [Scenario.Problem] {
    guard let files = scenario.files, !files.positions.isEmpty else { return [] }
    let paths = Set(runs.compactMap(\.transcript).flatMap(\.filePaths))
    return files.indicesMatchingNone(of: paths).map { index in
      let promise = files.promises[index]
      return idleProblem(
        "no file of any run matches the pattern '\(promise.pattern.description.shown)', so what it says "
          + "('\(promise.dataClass.rawValue)') is not tested",
        advice: "correct the pattern, leave it out, or let a step save such a file",
        at: files.positions[index])
    }
  }

  /// That code of the app's own ran and left no trace.
  private var idleCode: [Scenario.Problem] {
    let steps = scenario.stepsOfCode
    let numbers = Set(steps.map(\.reference.number))
    let entries = runs.compactMap(\.transcript).flatMap(\.entries).filter {
      numbers.contains($0.step.number)
    }
    guard !scenario.isAdapted, let first = entries.first?.step,
      !steps.contains(where: \.mustFail), !entries.contains(where: \.event.isTrace)
    else { return [] }
    return [
      idleProblem(
        "the app's own code ran, but nothing in the container was changed by it",
        advice: "see that the code writes into the container that it is handed, and not to a path "
          + "of its own",
        at: first.position)
    ]
  }

  /// A warning of something that did nothing.
  private func idleProblem(
    _ message: String, advice: String, at position: SourcePosition
  ) -> Scenario.Problem {
    Scenario.Problem(
      kind: .idle, severity: .warning, isFailure: isStrict, position: position, message: message,
      details: ["do: \(advice)"], variants: nil)
  }
}

extension Transcript {
  /// The files and links that were there at any time, each at least once.
  fileprivate var filePaths: [ContainerPath] {
    firstTree.filePaths + lastTree.filePaths
      + entries.flatMap { entry -> [ContainerPath] in
        guard case .changes(let changes) = entry.event else { return [] }
        return changes.flatMap { $0.placedFiles(in: entry.tree) }
      }
  }
}

extension FileTree.Change {
  /// The files and links that it put somewhere; a directory that came has them with it.
  fileprivate func placedFiles(in tree: FileTree) -> [ContainerPath] {
    switch self {
    case .created, .savedInPlace, .replaced:
      return tree[path]?.isDirectory == true ? [] : [path]
    case .moved, .copied:
      guard let item = tree[path], item.isDirectory else { return [path] }
      var paths: [ContainerPath] = []
      item.walk(at: path) { found, item in
        if !item.isDirectory { paths.append(found) }
        return true
      }
      return paths
    case .removed, .marked, .cleared:
      return []
    }
  }
}

extension FileTree {
  /// Its files and links.
  fileprivate var filePaths: [ContainerPath] {
    var paths: [ContainerPath] = []
    walk { path, item in
      if !item.isDirectory { paths.append(path) }
      return true
    }
    return paths
  }
}

extension Transcript.Event {
  /// Whether it shows that the app did something that the kit can see.
  fileprivate var isTrace: Bool {
    switch self {
    case .changes(let changes): !changes.isEmpty
    case .output, .launch: false
    default: true
    }
  }
}
