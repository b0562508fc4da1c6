import BackupVerdicts
import Foundation

/// Files, with the attributes that change if one of them is saved.
struct WatchedFiles {
  /// The attributes of a file that a save changes; empty for a missing file.
  struct Stamp: Hashable {
    let modified: Date?
    let size: UInt64?

    fileprivate init(_ attributes: [FileAttributeKey: Any]?) {
      modified = attributes?[.modificationDate] as? Date
      size = attributes?[.size] as? UInt64
    }
  }

  /// The files that only an editor changes.
  private(set) var edited: [String: Stamp] = [:]
  /// The files that the work may change too.
  private(set) var written: [String: Stamp] = [:]

  init(edited paths: [String]) {
    for path in paths {
      edited[path] = Stamp(try? FileManager.default.attributesOfItem(atPath: path))
    }
  }

  private static let sourceExtensions: Set = ["swift", "json5", "c", "cc", "cpp", "h", "m", "mm"]

  /// Finds the sources, tests, scenarios and golden files of the package in the working directory, without hidden
  /// folders and links.
  static func ofPackage() -> WatchedFiles {
    var files = WatchedFiles(edited: [])
    let enumerator = FileManager.default.enumerator(atPath: ".")
    while let path = enumerator?.nextObject() as? String {
      let names = path.split(separator: "/")
      let attributes = enumerator?.fileAttributes
      let kind = attributes?[.type] as? FileAttributeType
      if names.last?.first == "." {
        if kind == .typeDirectory { enumerator?.skipDescendants() }
      } else if kind == .typeRegular {
        let suffix = (path as NSString).pathExtension
        if sourceExtensions.contains(suffix) {
          files.edited[path] = Stamp(attributes)
        } else if suffix == "golden"
          || ["Sources", "Tests"].contains(names.first) && !path.hasSuffix(GoldenStore.newSuffix)
        {
          files.written[path] = Stamp(attributes)
        }
      }
    }
    return files
  }

  /// Does work, and repeats it after each change of the files, until the task is cancelled. Returns the last status.
  ///
  /// A change of an edited file during the work counts. A change of another file does not, because the work may have
  /// made it. The printed line calls the files `name`.
  static func repeating(
    _ name: String, files: () -> WatchedFiles, work: () async -> ExitStatus
  ) async -> ExitStatus {
    var status = ExitStatus.success
    while !Task.isCancelled {
      let before = files().edited
      status = await work()
      guard !Task.isCancelled else { break }
      Output.error("waiting for a change of \(name); press Control-C to end\n")
      let after = files().written
      while !Task.isCancelled, case let now = files(), now.edited == before, now.written == after {
        try? await Task.sleep(for: .seconds(1))
      }
    }
    return status
  }
}
