import Foundation

@testable import BackupContainer
@testable import BackupFileTree

extension Mutant {
  /// Wrong answers to what an operation does to marks.
  static let operations: [Mutant] = lostMarks + keptMarks + markings

  /// Marks that an operation loses.
  private static let lostMarks: [Mutant] = [
    .operation("copy loses a file's mark", near: ["moves/marked-file-copied"]) {
      operation, container, before, standard in
      try standard(operation)
      guard case .copy(let source, to: let path) = operation else { return }
      if before[source]?.isDirectory == false { try container.clearMarks(at: path) }
    },
    .operation("copy loses a directory's marks", near: ["moves/marked-directory-copied"]) {
      operation, container, before, standard in
      try standard(operation)
      guard case .copy(let source, to: let path) = operation else { return }
      if before[source]?.isDirectory == true { try container.clearMarks(at: path) }
    },
    .operation("move loses a file's mark") { operation, container, before, standard in
      try standard(operation)
      guard case .move(let source, to: let path, _) = operation else { return }
      if before[source]?.isDirectory == false { try container.clearMarks(at: path) }
    },
    .operation("move loses a directory's marks", near: ["moves/marked-directory-renamed"]) {
      operation, container, before, standard in
      try standard(operation)
      guard case .move(let source, to: let path, _) = operation else { return }
      if before[source]?.isDirectory == true { try container.clearMarks(at: path) }
    },
    .operation("save in place loses the mark", near: ["saving/in-place-by-luck"]) {
      operation, container, _, standard in
      try standard(operation)
      if case .write(let path, _, method: .inPlace) = operation {
        try container.clearMarks(at: path)
      }
    },
    .operation("append loses the mark", near: ["saving/append-by-luck"]) {
      operation, container, _, standard in
      try standard(operation)
      if case .append(let path, _) = operation { try container.clearMarks(at: path) }
    },
    .operation("directory made twice loses its mark", near: ["directories/"]) {
      operation, container, _, standard in
      try standard(operation)
      if case .createDirectory(let path, _) = operation { try container.setMarks([], on: path) }
    },
  ]

  /// Marks that an operation keeps.
  private static let keptMarks: [Mutant] = [
    .keepsMark("atomic save") {
      if case .write(_, _, method: .atomically) = $0 { true } else { false }
    },
    .keepsMark("save that deletes first") {
      if case .write(_, _, method: .deleteFirst) = $0 { true } else { false }
    },
    .keepsMark("rename over") { if case .move = $0 { true } else { false } },
    .markOutlivesRemoval("directory") { if case .createDirectory = $0 { true } else { false } },
    .markOutlivesRemoval("file") { if case .write = $0 { true } else { false } },
  ]

  /// What setting and clearing a mark does.
  private static let markings: [Mutant] = [
    .operation("mark set on nothing accepted", near: ["marks/directory-before-it-is-created"]) {
      operation, _, before, standard in
      if case .setMark(_, on: let path, to: true) = operation, !before.contains(path) { return }
      try standard(operation)
    },
    .operation("mark never set", near: ["marks/"]) { operation, _, _, standard in
      if case .setMark(_, on: _, to: true) = operation { return }
      try standard(operation)
    },
    .operation("mark never cleared", near: ["marks/"]) { operation, _, _, standard in
      if case .setMark(_, on: _, to: false) = operation { return }
      try standard(operation)
    },
    .operation("one mark set for the other", near: ["eras/"]) { operation, _, _, standard in
      guard case .setMark(let mark, on: let path, to: let isSet) = operation else {
        return try standard(operation)
      }
      let other: ExclusionMark =
        mark == .resourceValue ? .extendedAttribute : .resourceValue
      try standard(.setMark(other, on: path, to: isSet))
    },
    .operation("one mark takes the other's place", near: ["eras/new-mark-outlives-the-old"]) {
      operation, container, _, standard in
      if case .setMark(_, on: let path, to: true) = operation {
        try? container.setMarks([], on: path)
      }
      try standard(operation)
    },
    .operation("one mark cleared, the other too", near: ["eras/new-mark-outlives-the-old"]) {
      operation, container, _, standard in
      try standard(operation)
      if case .setMark(_, on: let path, to: false) = operation {
        try container.setMarks([], on: path)
      }
    },
    .operation("clearing reaches into a directory", near: ["marks/"]) {
      operation, container, _, standard in
      try standard(operation)
      if case .setMark(_, on: let path, to: false) = operation {
        try container.clearMarks(at: path)
      }
    },
    .operation("clearing a file's mark clears the directory's", near: ["marks/"]) {
      operation, container, _, standard in
      try standard(operation)
      guard case .setMark(_, on: let path, to: false) = operation, let parent = path.parent else {
        return
      }
      try container.setMarks([], on: parent)
    },
  ]

  /// An operation that keeps the mark of the item it replaces.
  private static func keepsMark(
    _ name: String, _ isMeant: @escaping @Sendable (FileOperation) -> Bool
  ) -> Mutant {
    .operation(
      "\(name) keeps the mark", near: ["saving/atomic-save", "saving/delete-first", "moves/over"]
    ) { operation, container, before, standard in
      try standard(operation)
      guard isMeant(operation), let marks = before[operation.path]?.marks, !marks.isEmpty else {
        return
      }
      try container.setMarks(marks, on: operation.path)
    }
  }

  /// An item that is removed, made again, and has its mark again.
  private static func markOutlivesRemoval(
    _ name: String, _ isMeant: @escaping @Sendable (FileOperation) -> Bool
  ) -> Mutant {
    let removed = Locked<[RemovedItem: ExclusionMark]>([:])
    return .operation(
      "\(name) made again has its mark", near: ["directories/", "saving/removed-and"]
    ) {
      operation, container, before, standard in
      try standard(operation)
      let item = RemovedItem(container: container.url.path, path: operation.path)
      if case .remove = operation {
        removed.withLock { $0[item] = before[operation.path]?.marks }
      } else if isMeant(operation), !before.contains(operation.path),
        let marks = removed.withLock({ $0[item] })
      {
        try container.setMarks(marks, on: operation.path)
      }
    }
  }
}

/// An item that was removed from one of the containers that exist at once.
private struct RemovedItem: Hashable {
  /// The container's path on disk.
  let container: String
  let path: ContainerPath
}
