import BackupCollections
import BackupDiagnostics
import BackupVerdicts

extension LineDifference {
  /// The change of the golden file without its steps. It is equal for files that change in the same way.
  var change: GoldenChange {
    let renamed = RenamedItems(in: self)
    // A line that moves to another backup is a change.
    let former = Set(renamed.rest.filter { $0.actualNumber == nil }.map(\.placedText))
    let new = Set(renamed.rest.filter { $0.goldenNumber == nil }.map(\.placedText))
    let changed =
      former.subtracting(new).map { "-\($0.last ?? "")" }
      + new.subtracting(former).map { "+\($0.last ?? "")" }
    let renamings = Set(renamed.paths.keys)
    // If only amounts differ, they are the change.
    let isEmpty = changed.isEmpty && renamings.isEmpty
    return GoldenChange(
      renamings: renamings, lines: Set(isEmpty ? changedLines.map(\.text) : changed))
  }
}

/// A change that several golden files can have in common.
struct GoldenChange: Hashable {
  let renamings: Set<RenamedItems.Renaming>
  let lines: Set<String>
}

extension LineDifference.Line {
  /// The runs and the event that the line belongs to, and its text.
  fileprivate var placedText: [String] {
    section + (content.wordsWithoutSum.map { ["", $0] } ?? [event?.description ?? "", text])
  }
}

/// The items of a difference that were renamed or moved: those whose lines differ only in the path.
struct RenamedItems {
  /// The old and the new path of renamed directories or items.
  typealias Renaming = [String]

  private struct Item {
    let line: LineDifference.Line
    let path: [String]
    let facts: Facts

    init?(_ line: LineDifference.Line) {
      guard let item = line.content.item else { return nil }
      self.line = line
      // A directory ends with an empty name, so that it is renamed with all that is in it.
      path = item.name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      facts = Facts(
        place: line.section + [line.event?.description],
        item: item.renamed(item.isDirectory ? "/" : ""))
    }
  }

  /// The contents of a line without the path, which are equal if the item was renamed or moved.
  private struct Facts: Hashable {
    /// The section and the event.
    let place: [String?]
    /// The item without its path.
    let item: GoldenDocument.Item
  }

  /// The new path of each old path, by renaming.
  let paths: [Renaming: [[String]: [String]]]
  let rest: [LineDifference.Line]

  private static let mostCompared = 200

  init(in difference: LineDifference) {
    let changed = difference.changedLines
    let items = changed.compactMap(Item.init)
    let groups = items.grouped(by: \.facts).map { group in
      (
        old: group.filter { $0.line.actualNumber == nil }.prefix(Self.mostCompared),
        new: group.filter { $0.line.goldenNumber == nil }.prefix(Self.mostCompared)
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
    // If the items can be paired in several ways, use the renaming that explains the most of them.
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

  /// Returns the directories in which two paths differ, or the whole paths if their last names differ.
  private static func renaming(directoriesOf old: [String], _ new: [String]) -> Renaming {
    let tail = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count
    let (from, to) = (old.dropLast(tail), new.dropLast(tail))
    guard tail > 0, !from.isEmpty, !to.isEmpty else { return renaming(old, new) }
    // One of the directories may be in the other.
    let head = zip(from, to).prefix { $0 == $1 }.count
    let left = min(head, from.count - 1, to.count - 1)
    return renaming(from.dropFirst(left) + [""], to.dropFirst(left) + [""])
  }

  private static func words(for renaming: Renaming) -> String { renaming.joined(separator: " → ") }

  /// A line for each renaming: an item's whole paths, or the directories of several.
  var lines: [String] {
    paths.map { renaming, paths in
      let files = paths.filter { $0.key.last != "" }
      let all = files.isEmpty ? paths : files
      let only = all.count == 1 ? all.first.map { Self.renaming($0.key, $0.value) } : nil
      let count = only == nil ? " (\(all.count.counted("file")))" : ""
      return "renamed: \(Self.words(for: only ?? renaming))\(count)"
    }.sorted()
  }
}
