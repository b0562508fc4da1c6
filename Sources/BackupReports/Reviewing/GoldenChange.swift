import BackupCollections
import BackupDiagnostics
import BackupVerdicts

extension LineDifference {
  /// The change of the golden file, without the steps at which it occurs. Golden files that change
  /// in the same way have equal changes.
  var change: GoldenChange {
    let renamed = RenamedItems(in: self)
    // A line that moves to another backup counts as a change.
    let former = Set(renamed.rest.filter { $0.actualNumber == nil }.map(\.placedText))
    let new = Set(renamed.rest.filter { $0.goldenNumber == nil }.map(\.placedText))
    let changed =
      former.subtracting(new).map { "-\($0.last ?? "")" }
      + new.subtracting(former).map { "+\($0.last ?? "")" }
    let renamings = Set(renamed.paths.keys)
    // If only amounts differ, the changed lines are the change.
    let isEmpty = changed.isEmpty && renamings.isEmpty
    return GoldenChange(
      renamings: renamings, lines: Set(isEmpty ? changedLines.map(\.text) : changed))
  }
}

/// A change that several golden files may have in common.
struct GoldenChange: Hashable {
  let renamings: Set<RenamedItems.Renaming>
  let lines: Set<String>
}

extension LineDifference.Line {
  /// The line's runs, event and text. If the line is the title of an event or a container, the
  /// event is empty, and the text has no sums.
  fileprivate var placedText: [String] {
    section + (content.wordsWithoutSum.map { ["", $0] } ?? [event?.description ?? "", text])
  }
}

/// The renamed or moved items in a difference. Their lines differ only in the path.
struct RenamedItems {
  /// The old path and the new path of renamed directories or items.
  typealias Renaming = [String]

  private struct Item {
    let line: LineDifference.Line
    let path: [String]
    let facts: Facts

    init?(_ line: LineDifference.Line) {
      guard let item = line.content.item else { return nil }
      self.line = line
      // The path of a directory ends with an empty name, as after the slash of `Movies/`. A renamed
      // directory thus counts as one renaming with all items in it.
      path = item.name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      facts = Facts(
        place: line.section + [line.event?.description],
        item: item.renamed(item.isDirectory ? "/" : ""))
    }
  }

  /// The contents of a line without the path. Two lines with equal facts may be about one renamed
  /// or moved item.
  private struct Facts: Hashable {
    /// The section and the event.
    let place: [String?]
    /// The item without its path.
    let item: GoldenDocument.Item
  }

  /// For each renaming, the new path of each old path.
  let paths: [Renaming: [[String]: [String]]]
  /// The changed lines that no renaming explains.
  let rest: [LineDifference.Line]

  private static let maximumComparedItems = 200

  init(in difference: LineDifference) {
    let changed = difference.changedLines
    let items = changed.compactMap(Item.init)
    let groups = items.grouped(by: \.facts).map { group in
      (
        old: group.filter { $0.line.actualNumber == nil }.prefix(Self.maximumComparedItems),
        new: group.filter { $0.line.goldenNumber == nil }.prefix(Self.maximumComparedItems)
      )
    }
    var pairs: [(renaming: Renaming, old: Item, new: Item)] = []
    for group in groups {
      for old in group.old {
        for new in group.new
        where new.path.last == old.path.last && new.path != old.path {
          let renaming = Self.renaming(directoriesOf: old.path, new.path)
          pairs.append((renaming, old, new))
        }
      }
    }
    let counts = pairs.reduce(into: [:]) { $0[$1.renaming, default: 0] += 1 }
    // If the items can be paired in several ways, prefer the renaming that explains most of them.
    pairs.sort { first, second in
      (counts[second.renaming] ?? 0, Self.words(for: first.renaming))
        < (counts[first.renaming] ?? 0, Self.words(for: second.renaming))
    }
    var paths: [Renaming: [[String]: [String]]] = [:]
    var pairedLines: Set<LineDifference.Line> = []
    func pair(_ renaming: Renaming, _ old: Item, _ new: Item) {
      pairedLines.formUnion([old.line, new.line])
      paths[renaming, default: [:]][old.path] = new.path
    }
    for (renaming, old, new) in pairs where pairedLines.isDisjoint(with: [old.line, new.line]) {
      pair(renaming, old, new)
    }
    for group in groups {
      let old = group.old.filter { !pairedLines.contains($0.line) }
      let new = group.new.filter { !pairedLines.contains($0.line) }
      guard old.count == 1, new.count == 1, old[0].path != new[0].path,
        old[0].facts.item.facts.amount != nil || old[0].path.dropLast() == new[0].path.dropLast()
      else { continue }
      pair(Self.renaming(old[0].path, new[0].path), old[0], new[0])
    }
    self.paths = paths
    rest = changed.filter { !pairedLines.contains($0) }
  }

  private static func renaming(_ from: [String], _ to: [String]) -> Renaming {
    [from.joined(separator: "/"), to.joined(separator: "/")]
  }

  /// Returns the directories in which two paths differ: `Movies/` and `Films/` for `D/Movies/1.mp4`
  /// and `D/Films/1.mp4`. Returns the whole paths if their last names differ.
  private static func renaming(directoriesOf old: [String], _ new: [String]) -> Renaming {
    let commonEndCount = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count
    let (from, to) = (old.dropLast(commonEndCount), new.dropLast(commonEndCount))
    guard commonEndCount > 0, !from.isEmpty, !to.isEmpty else { return renaming(old, new) }
    // If one directory is in the other, keep at least one name of each.
    let commonStartCount = zip(from, to).prefix { $0 == $1 }.count
    let droppedCount = min(commonStartCount, from.count - 1, to.count - 1)
    return renaming(from.dropFirst(droppedCount) + [""], to.dropFirst(droppedCount) + [""])
  }

  private static func words(for renaming: Renaming) -> String { renaming.joined(separator: " → ") }

  /// A line for each renaming. It has the whole paths of a single item, or the directories of
  /// several items.
  var lines: [String] {
    paths.map { renaming, paths in
      let files = paths.filter { $0.key.last != "" }
      let all = files.isEmpty ? paths : files
      let singlePaths = all.count == 1 ? all.first.map { Self.renaming($0.key, $0.value) } : nil
      let count = singlePaths == nil ? " (\(all.count.counted("file")))" : ""
      return "renamed: \(Self.words(for: singlePaths ?? renaming))\(count)"
    }.sorted()
  }
}
