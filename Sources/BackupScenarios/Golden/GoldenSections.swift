import DeviceSimulation

/// A golden file taken apart into the sections of its runs.
struct GoldenSections {
  /// The lines of each section, with the header lines that name its runs.
  private var sections: [(headers: [String], body: [String])] = []
  /// The scenario.
  private let scenario: Scenario

  /// Takes a golden file apart; lines before the first section are passed over.
  init(_ text: String, _ scenario: Scenario) {
    self.scenario = scenario
    var wasHeader = false
    for line in text.split(separator: "\n").map(String.init) {
      let isHeader = line.hasPrefix(VariantList.keyword)
      if isHeader, !wasHeader { sections.append(([], [])) }
      if let last = sections.indices.last {
        if isHeader {
          sections[last].headers.append(line)
        } else {
          sections[last].body.append(line)
        }
      }
      wasHeader = isHeader
    }
  }

  /// The lines of a run; nil where no section names it.
  func body(of variant: Variant) -> [String]? {
    sections.first { section in section.headers.contains { names(variant, $0) } }?.body
  }

  /// Whether a header line names a run.
  private func names(_ variant: Variant, _ header: String) -> Bool {
    let words = header.dropFirst(VariantList.keyword.count).split(separator: ", ").joined(
      separator: " and ")
    var systems: [SystemVersion] = []
    var kinds: [BackupKind] = []
    for word in words.replacing("iOS ", with: "").split(separator: " and ") {
      if let kind = BackupKind(rawValue: String(word)) {
        kinds.append(kind)
      } else {
        systems += self.systems(named: word)
      }
    }
    return systems.contains(variant.system) && kinds.contains(variant.backups)
  }

  /// The systems that `18` or `5.1…26` stands for in this scenario.
  private func systems(named word: Substring) -> [SystemVersion] {
    let ends = word.split(separator: "…").compactMap { SystemVersion(String($0)) }
    guard let first = ends.first, let last = ends.last,
      let start = scenario.systems.firstIndex(of: first),
      let end = scenario.systems.firstIndex(of: last), start <= end
    else { return [] }
    return Array(scenario.systems[start...end])
  }
}
