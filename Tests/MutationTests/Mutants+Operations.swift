import Foundation

@testable import BackupContainer
@testable import BackupFileTree

extension Mutant {
  /// Operations with a wrong effect on marks.
  static let operations: [Mutant] = lostMarks + keptMarks + markings

  /// Operations that wrongly lose marks.
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

  /// Operations that wrongly keep marks.
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

  /// Wrong effects of setting and clearing marks.
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

  /// A mutant in which some operations keep the mark of the item that they replace.
  private static func keepsMark(
    _ name: String, _ appliesTo: @escaping @Sendable (FileOperation) -> Bool
  ) -> Mutant {
    .operation(
      "\(name) keeps the mark", near: ["saving/atomic-save", "saving/delete-first", "moves/over"]
    ) { operation, container, before, standard in
      try standard(operation)
      guard appliesTo(operation), let marks = before[operation.path]?.marks, !marks.isEmpty else {
        return
      }
      try container.setMarks(marks, on: operation.path)
    }
  }

  /// A mutant in which some operations give a removed item its mark again when they create it
  /// again.
  private static func markOutlivesRemoval(
    _ name: String, _ appliesTo: @escaping @Sendable (FileOperation) -> Bool
  ) -> Mutant {
    let marksOfRemovedItems = Locked<[RemovedItem: ExclusionMark]>([:])
    return .operation(
      "\(name) made again has its mark", near: ["directories/", "saving/removed-and"]
    ) {
      operation, container, before, standard in
      try standard(operation)
      let item = RemovedItem(container: container.url.path, path: operation.path)
      if case .remove = operation {
        marksOfRemovedItems.withLock { $0[item] = before[operation.path]?.marks }
      } else if appliesTo(operation), !before.contains(operation.path),
        let marks = marksOfRemovedItems.withLock({ $0[item] })
      {
        try container.setMarks(marks, on: operation.path)
      }
    }
  }
}

/// A removed item. Several containers exist at the same time, so the item includes its container.
private struct RemovedItem: Hashable {
  /// The container's path on disk.
  let container: String
  let path: ContainerPath
}
