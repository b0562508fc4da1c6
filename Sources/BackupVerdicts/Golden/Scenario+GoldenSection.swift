import BackupScenarios

extension Scenario {
  /// The section of a golden file that lines name a run by, with the number of its first line, from
  /// 1; nil if none names it.
  func goldenSection(
    of variant: Variant, in text: String
  ) -> (body: [String], firstLine: Int)? {
    var sections: [(headers: [String], body: [String], firstLine: Int)] = []
    var wasHeader = false
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.map(String.init).enumerated() where !line.isEmpty {
      let isHeader = line.hasPrefix(VariantGroup.keyword)
      if isHeader, !wasHeader { sections.append(([], [], 0)) }
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
    return sections.first { VariantGroup(namedBy: $0.headers, of: self).contains(variant) }
      .map { ($0.body, $0.firstLine) }
  }
}
