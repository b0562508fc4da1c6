import BackupCollections
import BackupDiagnostics

/// What differs between two snapshots, found by going through both side by side.
///
/// An item is unchanged if it and every directory above it are at their old places, with the same
/// item IDs, and it was neither saved nor marked since. Unchanged items are left out.
struct UnlikeItems {
  /// Where an item is in one of the two looks, and as what.
  typealias Sighting = (path: ContainerPath, item: FileTree.Item)

  /// The items now that are not as they were, in the order of a walk.
  private(set) var now: [Sighting] = []
  /// The earlier items that are missing now, whole or in part, in the order of a walk.
  private(set) var former: [Sighting] = []
  /// The stamps of items that are not at their old places.
  private(set) var stamps: Set<UInt64> = []

  init(_ before: FileTree, _ after: FileTree) {
    compare(before.children, after.children, in: nil)
  }

  /// Compares what is in one directory, whose entries are in the same order in both looks.
  private mutating func compare(
    _ before: FileTree.Children, _ after: FileTree.Children, in directory: ContainerPath?
  ) {
    var rest = before.entries[...]
    for entry in after.list {
      while let other = rest.first, other.name != entry.name, other.name < entry.name {
        former.append((ContainerPath(other.name, in: directory), other.item))
        rest.removeFirst()
      }
      if let other = rest.first, other.name == entry.name {
        compare(other.item, with: entry, in: directory)
        rest.removeFirst()
      } else {
        noteAll(of: entry.item, at: ContainerPath(entry.name, in: directory))
      }
    }
    for other in rest { former.append((ContainerPath(other.name, in: directory), other.item)) }
  }

  /// Compares what bore a name with what bears it now.
  private mutating func compare(
    _ before: FileTree.Item, with entry: FileTree.Children.Entry, in directory: ContainerPath?
  ) {
    let item = entry.item
    guard before.isSame(as: item) else {
      noteAll(of: item, at: ContainerPath(entry.name, in: directory))
      return former.append((ContainerPath(entry.name, in: directory), before))
    }
    if item.marks != before.marks || item.isSaved(since: before) {
      now.append((ContainerPath(entry.name, in: directory), item))
    }
    switch (before.kind, item.kind) {
    case (.directory(let old), .directory(let new)):
      compare(old, new, in: ContainerPath(entry.name, in: directory))
    case (.directory, _), (_, .directory):
      for child in item.children.list {
        noteAll(of: child.item, at: ContainerPath(entry.name, in: directory).appending(child.name))
      }
      former.append((ContainerPath(entry.name, in: directory), before))
    default:
      break
    }
  }

  /// Notes an item that is new at its path, with all in it.
  private mutating func noteAll(of item: FileTree.Item, at path: ContainerPath) {
    item.walk(at: path) { path, item in
      now.append((path, item))
      if item.identity != 0 { stamps.insert(item.identity) }
      return true
    }
  }
}

extension FileTree.Item {
  /// Whether this item, which was at the same place before, is the one that is there now.
  func isSame(as item: FileTree.Item) -> Bool {
    let isSameInode = observation.inode == item.observation.inode
    if isUnreadable || item.isUnreadable { return isSameInode }
    if canBeStamped || item.canBeStamped { return identity != 0 && identity == item.identity }
    return isSameInode && kind == item.kind
  }

  /// Whether the same file was written to since.
  func isSaved(since former: FileTree.Item) -> Bool {
    guard size != nil, former.size != nil else { return false }
    return isOtherwiseSized(than: former)
      || observation.modified != former.observation.modified
  }

  func isOtherwiseSized(than former: FileTree.Item) -> Bool {
    guard let size, let formerSize = former.size else { return false }
    return size != formerSize
  }
}
