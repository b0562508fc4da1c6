import DeviceSimulation

/// A golden file taken apart into the sections of its runs.
struct GoldenSections {
  /// Some lines of a golden file.
  struct Section {
    /// The lines that name the runs.
    fileprivate var headers: [String] = []
    /// The lines on what the system did in them.
    fileprivate(set) var body: [String] = []
    /// The number in the file of the first line of the body, from 1.
    fileprivate(set) var firstLine = 1
  }

  /// The sections.
  private var sections: [Section] = []
  /// The scenario.
  private let scenario: Scenario

  /// Takes a golden file apart; lines before the first section are passed over.
  init(_ text: String, _ scenario: Scenario) {
    self.scenario = scenario
    var wasHeader = false
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (index, line) in lines.dropLast(lines.last == "" ? 1 : 0).enumerated() {
      let isHeader = line.hasPrefix(VariantList.keyword)
      if isHeader, !wasHeader { sections.append(Section()) }
      if let last = sections.indices.last {
        if isHeader {
          sections[last].headers.append(line)
          sections[last].firstLine = index + 2
        } else {
          sections[last].body.append(line)
        }
      }
      wasHeader = isHeader
    }
  }

  /// The section of a run; nil where none names it.
  func section(of variant: Variant) -> Section? {
    sections.first { section in section.headers.contains { names(variant, $0) } }
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
