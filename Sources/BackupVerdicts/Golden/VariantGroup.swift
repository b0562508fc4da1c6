import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupScenarios

/// Some of a scenario's runs, and the lines that name them in golden files and reports:
/// `system iOS 5.1…18 and newest, iCloud and local`. Reports say the newest one's number.
///
/// Lines that were written for runs of a scenario name just these runs when they are read for it.
struct VariantGroup {
  /// The word that a line which names runs begins with.
  static let keyword = "system "

  private let scenario: Scenario
  private let variants: Set<Scenario.Variant>

  init(_ variants: some Sequence<Scenario.Variant>, of scenario: Scenario) {
    self.scenario = scenario
    self.variants = Set(variants)
  }

  /// The runs that lines of a golden file name; words that name none of the scenario's are passed
  /// over.
  init(namedBy headings: [String], of scenario: Scenario) {
    let variants = headings.flatMap { heading -> [Scenario.Variant] in
      let words = heading.dropFirst(Self.keyword.count).replacing("iOS ", with: "")
        .replacing(", ", with: " and ").split(separator: " and ")
      let kinds = words.compactMap { SystemProfile.BackupKind(rawValue: String($0)) }
      return words.flatMap { Self.systems(named: $0, in: scenario) }.flatMap { system in
        kinds.map { Scenario.Variant(system: system, backups: $0) }
      }
    }
    self.init(variants, of: scenario)
  }

  func contains(_ variant: Scenario.Variant) -> Bool { variants.contains(variant) }

  /// A line for each set of backup kinds, systems of the same set together.
  var headings: [String] {
    names(calling: scenario.newestSystem).map { "\(Self.keyword)\($0)" }
  }

  /// The same for a reader, who wants to know each system's number.
  var names: [String] { names(calling: nil) }

  /// What each set of backup kinds comes under, one of the systems called the newest.
  private func names(calling newest: SystemVersion?) -> [String] {
    let systems = scenario.systems.map { system in
      (
        system: system,
        kinds: scenario.backups.filter {
          contains(Scenario.Variant(system: system, backups: $0))
        }
      )
    }
    return systems.filter { !$0.kinds.isEmpty }.grouped(by: \.kinds).map { alike in
      let systems = Self.names(of: alike.map(\.system), calling: newest).joinedInWords
      return "\(systems), \((alike.first?.kinds ?? []).map(\.rawValue).joinedInWords)"
    }
  }

  /// The systems that `18`, `5.1…26` or `newest` stands for in a scenario.
  private static func systems(named word: Substring, in scenario: Scenario) -> [SystemVersion] {
    if word == SystemProfile.newestName { return [scenario.newestSystem].compactMap(\.self) }
    let ends = word.split(separator: "…").compactMap { SystemVersion(String($0)) }
    guard let first = ends.first, let last = ends.last,
      let start = scenario.systems.firstIndex(of: first),
      let end = scenario.systems.firstIndex(of: last), start <= end
    else { return [] }
    return Array(scenario.systems[start...end])
  }

  /// Systems as a golden file names them: three or more in a row as `first…last`, the newest last.
  private static func names(of systems: [SystemVersion], calling newest: SystemVersion?) -> [String]
  {
    var rows: [[SystemVersion]] = []
    for system in systems where system != newest {
      if let last = rows.last?.last, isNext(system, after: last) {
        rows[rows.count - 1].append(system)
      } else {
        rows.append([system])
      }
    }
    let numbers = rows.flatMap { row in
      row.count > 2 ? ["\(row[0])…\(row[row.count - 1])"] : row.map(\.description)
    }
    let named = numbers.prefix(1).map { "iOS \($0)" } + numbers.dropFirst()
    return newest.map(systems.contains) == true ? named + [SystemProfile.newestName] : named
  }

  /// Whether no version that the kit knows lies between two.
  private static func isNext(_ system: SystemVersion, after other: SystemVersion) -> Bool {
    guard let index = versions.firstIndex(of: other) else { return false }
    return versions.indices.contains(index + 1) && versions[index + 1] == system
  }

  /// The versions that the kit knows, the oldest first.
  private static let versions = SystemProfile.all.map(\.version)
}
