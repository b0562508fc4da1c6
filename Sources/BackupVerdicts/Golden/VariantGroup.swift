import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupScenarios

/// Some of a scenario's runs, and the lines that name these runs in golden files and reports.
///
/// An example of a line is `system iOS 5.1…18 and newest, iCloud and local`. In reports, the number
/// of the newest system stands in place of `newest`. For the same scenario, reading the lines of a
/// group gives the same group.
struct VariantGroup {
  /// The first word of a line that names runs.
  static let keyword = "system "

  private let scenario: Scenario
  private let variants: Set<Scenario.Variant>

  init(_ variants: some Sequence<Scenario.Variant>, of scenario: Scenario) {
    self.scenario = scenario
    self.variants = Set(variants)
  }

  /// Reads the lines of a golden file that name runs. Ignores words that name no run of the
  /// scenario.
  init(namedBy headings: [String], of scenario: Scenario) {
    let variants = headings.flatMap { heading -> [Scenario.Variant] in
      let words = heading.dropFirst(Self.keyword.count).replacing("iOS ", with: "")
        .replacing(", ", with: " and ").split(separator: " and ")
      let backupKinds = words.compactMap { SystemProfile.BackupKind(rawValue: String($0)) }
      return words.flatMap { Self.systems(named: $0, in: scenario) }.flatMap { system in
        backupKinds.map { Scenario.Variant(system: system, backups: $0) }
      }
    }
    self.init(variants, of: scenario)
  }

  func contains(_ variant: Scenario.Variant) -> Bool { variants.contains(variant) }

  /// The lines that name the runs in a golden file: one for each set of backup kinds.
  var headings: [String] {
    names(callingNewest: scenario.newestSystem).map { "\(Self.keyword)\($0)" }
  }

  /// The names of the runs in reports, with the number of each system.
  var names: [String] { names(callingNewest: nil) }

  /// Returns a name for each set of backup kinds. The system `newest` is called `newest`, not by
  /// its number.
  private func names(callingNewest newest: SystemVersion?) -> [String] {
    let systems = scenario.systems.map { system in
      (
        system: system,
        backupKinds: scenario.backups.filter {
          contains(Scenario.Variant(system: system, backups: $0))
        }
      )
    }
    return systems.filter { !$0.backupKinds.isEmpty }.grouped(by: \.backupKinds).map { group in
      let systems = Self.names(of: group.map(\.system), callingNewest: newest).joinedInWords
      return "\(systems), \((group.first?.backupKinds ?? []).map(\.rawValue).joinedInWords)"
    }
  }

  /// Returns the systems that `18`, `5.1…26` or `newest` stands for in a scenario.
  private static func systems(named name: Substring, in scenario: Scenario) -> [SystemVersion] {
    if name == SystemProfile.newestName { return [scenario.newestSystem].compactMap(\.self) }
    let endpoints = name.split(separator: "…").compactMap { SystemVersion(String($0)) }
    guard let first = endpoints.first, let last = endpoints.last,
      let start = scenario.systems.firstIndex(of: first),
      let end = scenario.systems.firstIndex(of: last), start <= end
    else { return [] }
    return Array(scenario.systems[start...end])
  }

  /// Returns the names of systems. Three or more consecutive systems become `first…last`, and the
  /// newest system comes last.
  private static func names(
    of systems: [SystemVersion], callingNewest newest: SystemVersion?
  ) -> [String] {
    var series: [[SystemVersion]] = []
    for system in systems where system != newest {
      if let last = series.last?.last, isNext(system, after: last) {
        series[series.count - 1].append(system)
      } else {
        series.append([system])
      }
    }
    let numbers = series.flatMap { members in
      members.count > 2
        ? ["\(members[0])…\(members[members.count - 1])"] : members.map(\.description)
    }
    let names = numbers.prefix(1).map { "iOS \($0)" } + numbers.dropFirst()
    return newest.map(systems.contains) == true ? names + [SystemProfile.newestName] : names
  }

  /// Returns true if a system comes directly after another among the versions that the kit knows.
  private static func isNext(_ system: SystemVersion, after previous: SystemVersion) -> Bool {
    guard let index = knownVersions.firstIndex(of: previous) else { return false }
    return knownVersions.indices.contains(index + 1) && knownVersions[index + 1] == system
  }

  /// The versions that the kit knows, the oldest first.
  private static let knownVersions = SystemProfile.all.map(\.version)
}
