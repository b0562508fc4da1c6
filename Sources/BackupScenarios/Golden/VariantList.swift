import DeviceSimulation

/// Names the runs that share a golden section: `system iOS 5.1…26, iCloud and local`.
enum VariantList {
  /// The word a line begins with.
  static let keyword = "system "

  /// A line for each set of backup kinds, systems of the same set together.
  static func lines(for variants: [Variant], in scenario: Scenario) -> [String] {
    var kindSets: [[BackupKind]] = []
    var systems: [[SystemVersion]] = []
    for system in scenario.systems {
      let kinds = scenario.backups.filter {
        variants.contains(Variant(system: system, backups: $0))
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
      return "\(keyword)iOS \(names(of: systems, in: scenario)), \(kindNames)"
    }
  }

  /// Systems as a golden file names them: three or more in a row as `first…last`.
  static func names(of systems: [SystemVersion], in scenario: Scenario) -> String {
    var runs: [[SystemVersion]] = []
    for system in systems {
      if let last = runs.last?.last, follows(system, last, in: scenario) {
        runs[runs.count - 1].append(system)
      } else {
        runs.append([system])
      }
    }
    return runs.flatMap { run in
      run.count > 2 ? ["\(run[0])…\(run[run.count - 1])"] : run.map(\.description)
    }.joinedInWords
  }

  /// Whether one system stands right behind another in the scenario's list.
  private static func follows(
    _ system: SystemVersion, _ other: SystemVersion, in scenario: Scenario
  ) -> Bool {
    guard let index = scenario.systems.firstIndex(of: other) else { return false }
    return scenario.systems.indices.contains(index + 1) && scenario.systems[index + 1] == system
  }
}
