import BackupDevice
import BackupDiagnostics
import BackupRules
import BackupScenarios

/// Names the runs that share a golden section: `system iOS 5.1…26, iCloud and local`.
enum SystemHeading {
  /// The word a line begins with.
  static let keyword = "system "

  /// The lines of each run below the line that names it; runs with the same lines share a section.
  static func sections(
    of outcomes: [(variant: Scenario.Variant, lines: [String])], in scenario: Scenario
  ) -> [String] {
    // By bytes: two strings may be equal and yet two file names.
    let sections = outcomes.grouped { $0.lines.map { Array($0.utf8) } }
    return sections.flatMap { section in
      lines(for: section.map(\.variant), in: scenario) + (section.first?.lines ?? [])
    }
  }

  /// A line for each set of backup kinds, systems of the same set together.
  static func lines(for variants: [Scenario.Variant], in scenario: Scenario) -> [String] {
    var kindSets: [[BackupKind]] = []
    var systems: [[SystemVersion]] = []
    for system in scenario.systems {
      let kinds = scenario.backups.filter {
        variants.contains(Scenario.Variant(system: system, backups: $0))
      }
      guard !kinds.isEmpty else { continue }
      if let index = kindSets.firstIndex(of: kinds) {
        systems[index].append(system)
      } else {
        kindSets.append(kinds)
        systems.append([system])
      }
    }
    return zip(kindSets, systems).map { kinds, systems in
      let kindNames = kinds.map(\.rawValue).joinedInWords
      return "\(keyword)iOS \(names(of: systems)), \(kindNames)"
    }
  }

  /// Systems as a golden file names them: three or more in a row as `first…last`.
  static func names(of systems: [SystemVersion]) -> String {
    var runs: [[SystemVersion]] = []
    for system in systems {
      if let last = runs.last?.last, isNext(system, after: last) {
        runs[runs.count - 1].append(system)
      } else {
        runs.append([system])
      }
    }
    return runs.flatMap { run in
      run.count > 2 ? ["\(run[0])…\(run[run.count - 1])"] : run.map(\.description)
    }.joinedInWords
  }

  /// Whether no version that the kit knows lies between two.
  private static func isNext(_ system: SystemVersion, after other: SystemVersion) -> Bool {
    guard let index = versions.firstIndex(of: other) else { return false }
    return versions.indices.contains(index + 1) && versions[index + 1] == system
  }

  /// The versions that the kit knows, the oldest first.
  private static let versions = SystemProfile.all.map(\.version)
}
