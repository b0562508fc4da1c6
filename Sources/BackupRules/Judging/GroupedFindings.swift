import BackupCollections
import BackupDiagnostics
import BackupFileTree
package import BackupScenarios

/// The findings of a run, grouped for a report.
///
/// Equal findings on several files of a directory become one finding, if every file in the
/// directory has a finding of the rule.
package struct GroupedFindings {
  private static let maximumListedCount = 3

  private let transcript: Transcript
  private let findings: [Scenario.Finding]
  /// The index of each step's last entry.
  private let lastEntries: [Scenario.StepReference.Number: Int]

  package init(_ findings: [Scenario.Finding], in transcript: Transcript) {
    self.findings = findings
    self.transcript = transcript
    let entries = transcript.entries
    self.lastEntries = Dictionary(zip(entries.map(\.step.number), entries.indices)) { $1 }
  }

  /// The findings after grouping.
  package var mergedFindings: [Scenario.Finding] {
    let groupsOfEqualFindings = findings.grouped(by: sharedProperties)
    let rulesToGroup = Set(groupsOfEqualFindings.filter { $0.count > 1 }.compactMap(\.first?.rule))
    let mixedDirectoriesByRule = Dictionary(rulesToGroup.map { ($0, mixedDirectories(of: $0)) }) {
      first, _ in
      first
    }
    return groupsOfEqualFindings.flatMap { findings in
      findings.grouped { group(of: $0, excluding: mixedDirectoriesByRule[$0.rule] ?? []) }.flatMap(
        merged)
    }
  }

  /// Returns the properties that equal findings on several items share: all except the item and the
  /// step.
  private func sharedProperties(_ finding: Scenario.Finding) -> SharedProperties {
    SharedProperties(
      rule: finding.rule, severity: finding.severity,
      message: finding.path.map { path in
        finding.message.replacing("'\(path)'", with: "").replacing("in \(finding.step)", with: "")
      } ?? "",
      advice: finding.advice)
  }

  private struct SharedProperties: Hashable {
    let rule: String
    let severity: Scenario.Severity
    /// The message without the item and the step.
    let message: String
    let advice: String
  }

  /// Returns one finding for a group of equal findings. Returns findings on no item unchanged.
  private func merged(_ findings: [Scenario.Finding]) -> [Scenario.Finding] {
    guard findings.count > 1, var mergedFinding = findings.first, let path = mergedFinding.path
    else { return findings }
    let steps = findings.map(\.step.description).grouped { $0 }.compactMap(\.first)
    // A file with several findings counts once.
    let findingsByFile = findings.grouped(by: \.path).compactMap(\.first)
    let paths = findingsByFile.compactMap(\.path)
    guard paths.count > 1 else {
      if steps.count > 1 { mergedFinding.message += "; in \(Self.list(steps))" }
      return [mergedFinding]
    }
    let directory = path.ancestors.last { ancestor in paths.allSatisfy(ancestor.isAncestor) }
    let placePhrase = directory.map { " in '\($0)'" } ?? ""
    let sizes = findingsByFile.compactMap { finding in
      finding.path.flatMap { tree(after: finding.step)[$0]?.size }
    }
    var sum = FileTotal()
    for size in sizes { sum.addFile(size) }
    let sizePhrase = sizes.isEmpty ? "" : ", \(sum.byteCount.formattedSize)"
    let otherNames = paths.dropFirst().map { path in
      let names = path.components.dropFirst(directory?.components.count ?? 0)
      return "'\(names.map(\.description).joined(separator: "/"))'"
    }
    mergedFinding.message +=
      "; also \(otherNames.count) more \(otherNames.count.wordForm("file"))\(placePhrase) "
      + "(\(paths.count) in all\(sizePhrase)): \(Self.list(otherNames))"
      + (steps.count > 1 ? ", in \(Self.list(steps))" : "")
    return [mergedFinding]
  }

  private static func list(_ words: [String]) -> String {
    let otherCount = words.count - maximumListedCount
    return otherCount > 0
      ? "\(words.prefix(maximumListedCount).joined(separator: ", ")) and \(otherCount) more"
      : words.joinedInWords
  }

  private func tree(after step: Scenario.StepReference) -> FileTree {
    lastEntries[step.number].map { transcript.entries[$0].tree } ?? transcript.lastTree
  }

  /// Returns the group of a finding: the topmost directory above its item that is not in
  /// `mixedDirectories`. If there is no such directory, the group is the item and the step.
  private func group(
    of finding: Scenario.Finding, excluding mixedDirectories: Set<ContainerPath>
  ) -> Group {
    guard let path = finding.path, tree(after: finding.step)[path]?.isDirectory != true,
      let directory = path.ancestors.first(where: { !mixedDirectories.contains($0) })
    else { return .item(finding.path, finding.step.number) }
    return .files(in: directory)
  }

  private enum Group: Hashable {
    case item(ContainerPath?, Scenario.StepReference.Number)
    case files(in: ContainerPath)
  }

  /// Returns the directories that, at the end of the run, contain a file without a finding of the
  /// rule.
  private func mixedDirectories(of rule: String) -> Set<ContainerPath> {
    let pathsWithFinding = Set(findings.filter { $0.rule == rule }.compactMap(\.path))
    var directories: Set<ContainerPath> = []
    transcript.lastTree.forEachItem { path, item in
      if !item.isDirectory, !pathsWithFinding.contains(path) {
        directories.formUnion(path.ancestors)
      }
    }
    return directories
  }
}
