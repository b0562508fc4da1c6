import BackupDevice
import BackupDiagnostics
import BackupFileTree

extension BackupComparison {
  /// The comparison for people: a section for each kind of outcome, and a summary.
  package var text: String {
    let sections = [
      section(
        "predicted to be in the backup, but missing from it",
        of: lines { $0 == .missing ? "" : nil }),
      section(
        "in the backup, but predicted to be excluded",
        of: lines { if case .unexpected(let reason) = $0 { ": \(reason)" } else { nil } }),
      section("in the backup, but not in the container", of: lines { $0 == .unknown ? "" : nil }),
      section("different in the backup and in the container", of: lines(unlike)),
      section(
        "listed in the manifest, but without its contents in the folder",
        of: lines { if case .withoutContents(let found) = $0 { ": \(found)" } else { nil } }),
      section("wrong in the manifest", of: faultLines),
      section(
        "excluded in both",
        of: leftOut.map { "\($0.path): \($0.reason?.description ?? "")".asMessage }),
    ]
    return sections.joined() + notes.map { "note: \($0)\n" }.joined() + "\(summary)\n"
  }

  /// A headline and its lines; empty without lines.
  private func section(_ title: String, of lines: [String]) -> String {
    guard !lines.isEmpty else { return "" }
    return "\(title) (\(lines.count)):\n" + lines.map { "  \($0)\n" }.joined()
  }

  /// A line for each difference that `words` describes.
  private func lines(_ words: (Mismatch.Kind) -> String?) -> [String] {
    differences.compactMap { difference in
      words(difference.kind).map { "\(difference.path)\($0)".asMessage }
    }
  }

  /// What is said of an item that is not alike.
  private func unlike(_ kind: Mismatch.Kind) -> String? {
    guard case .unlike(let seen, let expected) = kind else { return nil }
    return ": \(seen) in the backup, \(expected) in the container"
  }

  private var faultLines: [String] {
    BackupContents.Fault.allCases.compactMap { fault in
      contents.faults[fault].map { count in
        let rows = count.count.counted("row")
        return "\(rows): \(count.first) \(fault.rawValue)".asMessage
      }
    }
  }

  /// What the comparison could not see.
  package var notes: [String] {
    var notes = remarks
    for domain in domains where !known.contains(domain) {
      notes.append(
        "\(domain.name): no container was given, so items are judged only by their place and name "
          + "in the backup; name the container with --container")
    }
    for domain in domains where !contents.domains.contains(domain) {
      notes.append("\(domain.name): the backup contains no item of it")
    }
    for name in contents.otherExtensions.sorted() {
      notes.append("\(name): in the backup, but not compared; name it with --extension")
    }
    if !contents.otherGroups.isEmpty {
      let names = contents.otherGroups.map { $0.dropFirst(BackupDomain.groupPrefix.count) }.sorted()
      let rest = names.count > 3 ? " and \(names.count - 3) more" : ""
      notes.append(
        "groups in the backup that are not compared: "
          + "\(names.prefix(3).joined(separator: ", "))\(rest); name the app's groups with "
          + "--group")
    }
    return notes
  }

  /// How much agrees, in a line.
  private var summary: String {
    let systems = "by the rules of iOS \(profile.version)"
    let faults = contents.faults.values.reduce(0) { $0 + $1.count }
    let mistakes = faults > 0 ? ", \(faults.counted("row")) with a fault" : ""
    return "\(agreeing.counted("item")) in both, \(leftOut.count) excluded in both, "
      + "\(differences.count.counted("difference"))\(mistakes), \(systems)"
  }
}

extension BackupRecord.Kind: CustomStringConvertible {
  /// The kind in words, a file with its size.
  package var description: String {
    switch self {
    case .file(let size): "a file of \(size.formattedExactSize)"
    case .directory: "a directory"
    case .link(let target): "a link to \(EscapedText.escape(target))"
    }
  }
}
