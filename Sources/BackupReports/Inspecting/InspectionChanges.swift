import BackupDevice
import BackupDiagnostics
package import BackupFileTree
import BackupScenarios
package import BackupVerdicts
import Foundation

package struct InspectedFile: Equatable, Sendable {
  package let state: ItemState
  package let size: Int64

  fileprivate var backedUpSize: Int64 { state == .included ? size : 0 }
}

/// The files and links of an inspection with their states and sizes, and the paths of unreadable
/// items.
package struct InspectedFiles: Sendable {
  fileprivate var files: [ContainerPath: InspectedFile] = [:]
  fileprivate var unreadablePaths: Set<ContainerPath> = []
  fileprivate let system: String
  fileprivate let app: String?

  fileprivate var hasMarks: Bool { files.values.contains { $0.state == .mark } }
}

/// The differences between the files of an inspection and those of an earlier one. A file differs
/// by its existence, its state or its size. Contents are not compared.
package struct InspectionChanges: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case added, removed, included, excluded, changed

    package var words: String {
      switch self {
      case .included: "now in the backup"
      case .excluded: "no longer in the backup"
      default: rawValue
      }
    }
  }

  package struct Change: Sendable {
    package let path: ContainerPath
    package let before, after: InspectedFile?

    package var kind: Kind {
      guard let before else { return .added }
      guard let after else { return .removed }
      if (before.state == .included) == (after.state == .included) { return .changed }
      return after.state == .included ? .included : .excluded
    }

    fileprivate var backupGrowth: Int64 {
      (after?.backedUpSize ?? 0) - (before?.backedUpSize ?? 0)
    }

    /// The larger of two differences in bytes: of the file's size, and of the file's size in the
    /// backup.
    package var byteDifference: Int64 {
      max(abs(backupGrowth), abs((after?.size ?? 0) - (before?.size ?? 0)))
    }

    /// The states and sizes before and after, each such as `in the backup, 1.2 GB`.
    package var statesInWords: [String] {
      let (oldSize, newSize) = (before?.size ?? 0, after?.size ?? 0)
      let sizes =
        oldSize == newSize
        ? (oldSize.formattedSize, newSize.formattedSize) : Int64.formattedSizes(oldSize, newSize)
      return [(before, sizes.0), (after, sizes.1)].map { file, size in
        file.map { "\($0.state.phrase), \(size)" } ?? "missing"
      }
    }
  }

  package let earlierName: String
  /// The changes, the largest first.
  package let all: [Change]
  let notes: [String]

  package init(from earlier: InspectedFiles, named name: String, to inspection: Inspection) {
    let current = inspection.inspectedFiles
    let unreadablePaths = earlier.unreadablePaths.union(current.unreadablePaths)
    let comparablePaths = Set(earlier.files.keys).union(current.files.keys).filter { path in
      unreadablePaths.isEmpty
        || !([path] + path.ancestors).contains(where: unreadablePaths.contains)
    }
    self.earlierName = name
    self.all = comparablePaths.map {
      Change(path: $0, before: earlier.files[$0], after: current.files[$0])
    }
    .filter { $0.before != $0.after }
    .sorted { ($1.byteDifference, $0.path) < ($0.byteDifference, $1.path) }
    var notes: [String] = []
    func noteContainers(of files: InspectedFiles, missingIn others: InspectedFiles, _ words: String)
    {
      let containerNames = Set(files.files.keys.map(\.containerName))
        .subtracting(others.files.keys.map(\.containerName)).compactMap(\.self).sorted()
      notes += containerNames.map { "'\($0.containerIdentifier)' is only in \(words)" }
    }
    noteContainers(
      of: current, missingIn: earlier, "the inspected containers, so its files count as added")
    noteContainers(of: earlier, missingIn: current, "\(name), so its files count as removed")
    if !unreadablePaths.isEmpty {
      notes.append(
        "\(unreadablePaths.count.counted("item")) could not be read, and "
          + "\(unreadablePaths.count.wordForm("is", plural: "are")) not compared")
    }
    if earlier.system != current.system {
      notes.append(
        "\(name) was inspected for iOS \(earlier.system.escapedExcerpt), this for \(current.system)"
      )
    }
    if let oldApp = earlier.app, let newApp = current.app, oldApp != newApp {
      notes.append("\(name) is of \(oldApp.escapedExcerpt), this is of \(newApp)")
    }
    if current.hasMarks, !earlier.hasMarks {
      notes.append(
        "no file of \(name) has a mark, and a copy may have lost its marks; compare with JSON that "
          + "'inspect' wrote of the original")
    }
    self.notes = notes
  }

  /// The number of bytes by which the backup grows, clamped to the range of `Int64`.
  package var backupGrowth: Int64 {
    all.reduce(0) { sum, change in
      let (growth, overflows) = sum.addingReportingOverflow(change.backupGrowth)
      return overflows ? (sum < 0 ? .min : .max) : growth
    }
  }

  /// The result in one line, such as `1.2 GB more in the backup; 3 files added, 2 removed`.
  package var headline: String {
    let countsByKind = Dictionary(grouping: all, by: \.kind).mapValues(\.count)
    let countPhrases = Kind.allCases.compactMap { kind in
      countsByKind[kind].map { ($0, kind.words) }
    }
    .enumerated().map { "\($0 == 0 ? $1.0.counted("file") : "\($1.0)") \($1.1)" }
    let growthPhrase =
      "\(backupGrowth.magnitude.formattedSize) \(backupGrowth < 0 ? "less" : "more")"
    return all.isEmpty
      ? "no file differs in size or in whether it is backed up"
      : "\(backupGrowth == 0 ? "as many bytes" : growthPhrase) in the backup; \(countPhrases.joined(separator: ", "))"
  }
}

extension Inspection {
  package var inspectedFiles: InspectedFiles {
    var inspectedFiles = InspectedFiles(
      system: context.configuration.profile.version.description, app: context.appIdentifier)
    for decision in backupSet.decisions {
      switch (decision.kind, decision.verdict) {
      case (.other, _) where tree[decision.path]?.isUnreadable == true:
        inspectedFiles.unreadablePaths.insert(decision.path)
      case (.directory, _): continue
      case (_, let verdict):
        inspectedFiles.files[decision.path] = InspectedFile(
          state: ItemState(verdict), size: decision.size ?? 0)
      }
    }
    return inspectedFiles
  }
}

extension InspectedFiles {
  /// Reads the files of an inspection from its JSON. Returns nil if the bytes are anything else.
  package init?(json bytes: [UInt8]) {
    struct DecodedInspection: Decodable {
      let format: Int
      let system: String
      let app: String?
      let items: [Item]
      struct Item: Decodable {
        let path, kind, state: String
        let size: Int64?
      }
    }
    // If this returns nil, the caller reports that the file is not an inspection.
    guard let decoded = try? JSONDecoder().decode(DecodedInspection.self, from: Data(bytes)),
      decoded.format == 1
    else { return nil }
    (system, app) = (decoded.system, decoded.app)
    for item in decoded.items where item.kind != "directory" {
      guard let state = ItemState.allCases.first(where: { $0.word == item.state }),
        let pathBytes = EscapedText.unescape(item.path),
        let path = try? ContainerPath(bytes: pathBytes),
        item.size ?? 0 >= 0
      else { return nil }
      if item.kind == "unreadable" {
        unreadablePaths.insert(path)
      } else {
        files[path] = InspectedFile(state: state, size: item.size ?? 0)
      }
    }
  }
}
