import BackupDevice
import BackupDiagnostics
package import BackupFileTree
import Foundation

/// What an inspection says of a file.
package struct InspectedFile: Equatable, Sendable {
  package let state: Inspection.State
  package let size: Int64

  fileprivate var backedUp: Int64 { state == .included ? size : 0 }
}

/// How the files of an inspection differ from those of an earlier one; directories do not count.
package struct InspectionChanges: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case added, removed
    case included = "now in the backup"
    case excluded = "no longer in the backup"
    case changed
  }

  package struct Change: Sendable {
    package let path: ContainerPath
    /// Nil if the file was missing.
    package let before, after: InspectedFile?

    package var kind: Kind {
      guard let before else { return .added }
      guard let after else { return .removed }
      if (before.state == .included) == (after.state == .included) { return .changed }
      return after.state == .included ? .included : .excluded
    }

    /// How many bytes more are in the backup.
    fileprivate var backedUp: Int64 { (after?.backedUp ?? 0) - (before?.backedUp ?? 0) }

    /// How large it is, in the backup or on the device.
    package var bytes: Int64 {
      max(abs(backedUp), abs((after?.size ?? 0) - (before?.size ?? 0)))
    }

    /// `in the backup, 1.2 GB`, before and after.
    package var words: [String] {
      let (old, new) = (before?.size ?? 0, after?.size ?? 0)
      let sizes =
        old == new ? (old.formattedSize, new.formattedSize) : Int64.formattedSizes(old, new)
      return [(before, sizes.0), (after, sizes.1)].map { file, size in
        file.map { "\($0.state.words), \(size)" } ?? "missing"
      }
    }
  }

  /// What the earlier inspection is called.
  package let name: String
  /// The largest first.
  package let all: [Change]
  /// What else a reader must know.
  let notes: [String]

  package init(
    from earlier: [ContainerPath: InspectedFile], named name: String, to inspection: Inspection
  ) {
    let files = inspection.files
    let changes = Set(earlier.keys).union(files.keys).map {
      Change(path: $0, before: earlier[$0], after: files[$0])
    }
    self.name = name
    self.all = changes.filter { $0.before != $0.after }
      .sorted { ($1.bytes, $0.path) < ($0.bytes, $1.path) }
    let known = Set(earlier.keys.map(\.containerName))
    var notes = inspection.tree.containerNames.compactMap(\.self).filter { !known.contains($0) }
      .map { "\(name) has nothing of '\($0.containerIdentifier)', so its files count as added" }
    if [earlier, files].map({ $0.values.contains { $0.state == .mark } }) == [false, true] {
      notes.append(
        "no file of \(name) has a mark, and a copy may have lost its marks; compare with JSON that "
          + "'inspect' wrote of the original")
    }
    self.notes = notes
  }

  /// How many bytes more are in the backup.
  package var bytes: Int64 { all.reduce(0) { $0 &+ $1.backedUp } }

  /// `1.2 GB more in the backup; 3 files added, 2 removed`.
  package var headline: String {
    let counts = Dictionary(grouping: all, by: \.kind).mapValues(\.count)
    let parts = Kind.allCases.compactMap { kind in counts[kind].map { ($0, kind.rawValue) } }
      .enumerated().map { "\($0 == 0 ? $1.0.counted("file") : "\($1.0)") \($1.1)" }
    let sum = "\(bytes.magnitude.formattedSize) \(bytes < 0 ? "less" : "more")"
    return all.isEmpty
      ? "no file has changed"
      : "\(bytes == 0 ? "as many bytes" : sum) in the backup; \(parts.joined(separator: ", "))"
  }
}

extension Inspection {
  /// What can be read and is not a directory.
  package var files: [ContainerPath: InspectedFile] {
    var files: [ContainerPath: InspectedFile] = [:]
    for decision in set.decisions {
      switch (decision.kind, decision.verdict) {
      case (.directory, _), (_, .leftOut(.unreadable)): continue
      case (_, let verdict):
        files[decision.path] = InspectedFile(state: State(verdict), size: decision.size ?? 0)
      }
    }
    return files
  }

  /// The same of an inspection that was written as JSON; nil for anything else.
  package static func files(fromJSON bytes: [UInt8]) -> [ContainerPath: InspectedFile]? {
    struct Written: Decodable {
      let format: Int
      let items: [Item]
      struct Item: Decodable {
        let path, kind, state: String
        let size: Int64?
      }
    }
    guard let written = try? JSONDecoder().decode(Written.self, from: Data(bytes)),
      written.format == 1
    else { return nil }
    var files: [ContainerPath: InspectedFile] = [:]
    for item in written.items where !["directory", "unreadable"].contains(item.kind) {
      guard let state = State.allCases.first(where: { $0.word == item.state }),
        let name = EscapedText.unescape(item.path), let path = try? ContainerPath(bytes: name),
        item.size ?? 0 >= 0
      else { return nil }
      files[path] = InspectedFile(state: state, size: item.size ?? 0)
    }
    return files
  }
}
