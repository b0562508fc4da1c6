import BackupCollections
import BackupDiagnostics
import BackupFileTree
package import BackupScenarios

/// The findings of a run, grouped for people.
///
/// Equal findings of a rule on several files become one finding, on the topmost directory in which each file has
/// a finding of the rule.
package struct GroupedFindings {
  private static let mostNamed = 3

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

  package var shown: [Scenario.Finding] {
    let alike = findings.grouped(by: sameness)
    let several = Set(alike.filter { $0.count > 1 }.compactMap(\.first?.rule))
    let mixed = Dictionary(several.map { ($0, mixedDirectories(of: $0)) }) { first, _ in first }
    return alike.flatMap { findings in
      findings.grouped { place(of: $0, besides: mixed[$0.rule] ?? []) }.flatMap(merged)
    }
  }

  /// Returns the properties that equal findings on several items share: all except the item and the step.
  private func sameness(_ finding: Scenario.Finding) -> Sameness {
    Sameness(
      rule: finding.rule, severity: finding.severity,
      message: finding.path.map { path in
        finding.message.replacing("'\(path)'", with: "").replacing("in \(finding.step)", with: "")
      } ?? "",
      advice: finding.advice)
  }

  private struct Sameness: Hashable {
    let rule: String
    let severity: Scenario.Severity
    /// The message without the item and the step.
    let message: String
    let advice: String
  }

  /// Returns one finding for equal findings on files in a directory.
  private func merged(_ findings: [Scenario.Finding]) -> [Scenario.Finding] {
    guard findings.count > 1, var shown = findings.first, let path = shown.path else {
      return findings
    }
    let steps = findings.map(\.step.description).grouped { $0 }.compactMap(\.first)
    // A file that is used twice counts once.
    let findings = findings.grouped(by: \.path).compactMap(\.first)
    let paths = findings.compactMap(\.path)
    guard paths.count > 1 else {
      if steps.count > 1 { shown.message += "; in \(Self.list(steps))" }
      return [shown]
    }
    let directory = path.ancestors.last { above in paths.allSatisfy(above.isAncestor) }
    let place = directory.map { " in '\($0)'" } ?? ""
    let sizes = findings.compactMap { finding in
      finding.path.flatMap { tree(after: finding.step)[$0]?.size }
    }
    var sum = FileSum()
    for size in sizes { sum.add(size) }
    let bytes = sizes.isEmpty ? "" : ", \(sum.bytes.formattedSize)"
    let others = paths.dropFirst().map { path in
      let names = path.components.dropFirst(directory?.components.count ?? 0)
      return "'\(names.map(\.description).joined(separator: "/"))'"
    }
    shown.message +=
      "; also \(others.count) more \(others.count.form("file"))\(place) "
      + "(\(paths.count) in all\(bytes)): \(Self.list(others))"
      + (steps.count > 1 ? ", in \(Self.list(steps))" : "")
    return [shown]
  }

  private static func list(_ words: [String]) -> String {
    let rest = words.count - mostNamed
    return rest > 0
      ? "\(words.prefix(mostNamed).joined(separator: ", ")) and \(rest) more" : words.joinedInWords
  }

  private func tree(after step: Scenario.StepReference) -> FileTree {
    lastEntries[step.number].map { transcript.entries[$0].tree } ?? transcript.lastTree
  }

  /// Returns the group of a finding: the files in the topmost directory above its item that is not in `mixed`, or
  /// the item itself in its step.
  private func place(
    of finding: Scenario.Finding, besides mixed: Set<ContainerPath>
  ) -> Place {
    guard let path = finding.path, tree(after: finding.step)[path]?.isDirectory != true,
      let directory = path.ancestors.first(where: { !mixed.contains($0) })
    else { return .item(finding.path, finding.step.number) }
    return .files(in: directory)
  }

  private enum Place: Hashable {
    case item(ContainerPath?, Scenario.StepReference.Number)
    case files(in: ContainerPath)
  }

  /// Returns the directories that contain a file without a finding of a rule at the end of the run.
  private func mixedDirectories(of rule: String) -> Set<ContainerPath> {
    let found = Set(findings.filter { $0.rule == rule }.compactMap(\.path))
    var mixed: Set<ContainerPath> = []
    transcript.lastTree.forEachItem { path, item in
      if !item.isDirectory, !found.contains(path) { mixed.formUnion(path.ancestors) }
    }
    return mixed
  }
}
