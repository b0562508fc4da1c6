import BackupDevice
import BackupScenarios

extension SystemHeading {
  /// Whether a line of a golden file that names runs names this one.
  static func names(_ variant: Scenario.Variant, in line: String, of scenario: Scenario) -> Bool {
    let words = line.dropFirst(keyword.count).replacing("iOS ", with: "")
      .replacing(", ", with: " and ").split(separator: " and ")
    let kinds = words.compactMap { BackupKind(rawValue: String($0)) }
    let systems = words.flatMap { self.systems(named: $0, in: scenario) }
    return systems.contains(variant.system) && kinds.contains(variant.backups)
  }

  /// The systems that `18` or `5.1…26` stands for in a scenario.
  private static func systems(named word: Substring, in scenario: Scenario) -> [SystemVersion] {
    let ends = word.split(separator: "…").compactMap { SystemVersion(String($0)) }
    guard let first = ends.first, let last = ends.last,
      let start = scenario.systems.firstIndex(of: first),
      let end = scenario.systems.firstIndex(of: last), start <= end
    else { return [] }
    return Array(scenario.systems[start...end])
  }
}
