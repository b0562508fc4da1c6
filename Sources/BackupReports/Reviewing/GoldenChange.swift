import BackupCollections
import BackupDiagnostics
import BackupVerdicts

extension LineDifference {
  /// The change of the golden file, without the steps at which it occurs. Golden files that change
  /// in the same way have equal changes.
  var change: GoldenChange {
    let renamedItems = RenamedItems(in: self)
    // A line that moves to another backup counts as a change.
    let formerLines = Set(
      renamedItems.unexplainedLines.filter { $0.actualLineNumber == nil }.map(\.placeAndText))
    let newLines = Set(
      renamedItems.unexplainedLines.filter { $0.goldenLineNumber == nil }.map(\.placeAndText))
    let changedTexts =
      formerLines.subtracting(newLines).map { "-\($0.last ?? "")" }
      + newLines.subtracting(formerLines).map { "+\($0.last ?? "")" }
    let renamings = Set(renamedItems.newPathsByRenaming.keys)
    // If only amounts differ, the changed lines are the change.
    let onlyAmountsDiffer = changedTexts.isEmpty && renamings.isEmpty
    return GoldenChange(
      renamings: renamings, lines: Set(onlyAmountsDiffer ? changedLines.map(\.text) : changedTexts))
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
  fileprivate var placeAndText: [String] {
    headings + (content.wordsWithoutSum.map { ["", $0] } ?? [event?.description ?? "", text])
  }
}

/// The renamed or moved items in a difference. Their lines differ only in the path.
struct RenamedItems {
  /// The old path and the new path of renamed directories or items.
  typealias Renaming = [String]

  private struct Item {
    let line: LineDifference.Line
    let path: [String]
    let pathlessContents: PathlessContents

    init?(_ line: LineDifference.Line) {
      guard let item = line.content.item else { return nil }
      self.line = line
      // The path of a directory ends with an empty name, as after the slash of `Movies/`. A renamed
      // directory thus counts as one renaming with all items in it.
      path = item.name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      pathlessContents = PathlessContents(
        sectionAndEvent: line.headings + [line.event?.description],
        item: item.renamed(item.isDirectory ? "/" : ""))
    }
  }

  /// The contents of a line without the path. Two lines with equal contents may be about one
  /// renamed or moved item.
  private struct PathlessContents: Hashable {
    /// The section and the event.
    let sectionAndEvent: [String?]
    /// The item without its path.
    let item: GoldenDocument.Item
  }

  /// For each renaming, the new path of each old path.
  let newPathsByRenaming: [Renaming: [[String]: [String]]]
  /// The changed lines that no renaming explains.
  let unexplainedLines: [LineDifference.Line]

  private static let maximumComparedItems = 200

  init(in difference: LineDifference) {
    let changedLines = difference.changedLines
    let items = changedLines.compactMap(Item.init)
    let groups = items.grouped(by: \.pathlessContents).map { group in
      (
        old: group.filter { $0.line.actualLineNumber == nil }.prefix(Self.maximumComparedItems),
        new: group.filter { $0.line.goldenLineNumber == nil }.prefix(Self.maximumComparedItems)
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
    let pairCounts = pairs.reduce(into: [:]) { $0[$1.renaming, default: 0] += 1 }
    // If the items can be paired in several ways, prefer the renaming that explains most of them.
    pairs.sort { first, second in
      (pairCounts[second.renaming] ?? 0, Self.words(for: first.renaming))
        < (pairCounts[first.renaming] ?? 0, Self.words(for: second.renaming))
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
      let oldItems = group.old.filter { !pairedLines.contains($0.line) }
      let newItems = group.new.filter { !pairedLines.contains($0.line) }
      guard oldItems.count == 1, newItems.count == 1, oldItems[0].path != newItems[0].path,
        oldItems[0].pathlessContents.item.facts.amount != nil
          || oldItems[0].path.dropLast() == newItems[0].path.dropLast()
      else { continue }
      pair(Self.renaming(oldItems[0].path, newItems[0].path), oldItems[0], newItems[0])
    }
    self.newPathsByRenaming = paths
    unexplainedLines = changedLines.filter { !pairedLines.contains($0) }
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
    newPathsByRenaming.map { renaming, paths in
      let filePaths = paths.filter { $0.key.last != "" }
      let listedPaths = filePaths.isEmpty ? paths : filePaths
      let singlePaths =
        listedPaths.count == 1 ? listedPaths.first.map { Self.renaming($0.key, $0.value) } : nil
      let count =
        filePaths.isEmpty
        ? listedPaths.count.counted("directory", plural: "directories")
        : listedPaths.count.counted("file")
      return "renamed: \(Self.words(for: singlePaths ?? renaming))"
        + (singlePaths == nil ? " (\(count))" : "")
    }.sorted()
  }
}
