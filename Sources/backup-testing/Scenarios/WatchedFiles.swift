import BackupVerdicts
import Foundation

/// The files whose changes a command waits for, each with a stamp.
struct WatchedFiles {
  /// The attributes of a file that change when the file is saved. Empty if the file is missing.
  struct Stamp: Hashable {
    let modified: Date?
    let size: UInt64?

    fileprivate init(_ attributes: [FileAttributeKey: Any]?) {
      modified = attributes?[.modificationDate] as? Date
      size = attributes?[.size] as? UInt64
    }
  }

  /// The files that only the user changes, by their paths.
  private(set) var userFiles: [String: Stamp] = [:]
  /// The files that the command's own work may change as well, by their paths.
  private(set) var otherFiles: [String: Stamp] = [:]

  init(edited paths: [String]) {
    for path in paths {
      userFiles[path] = Stamp(try? FileManager.default.attributesOfItem(atPath: path))
    }
  }

  private static let sourceExtensions: Set = ["swift", "json5", "c", "cc", "cpp", "h", "m", "mm"]

  /// Finds the sources, tests, scenarios and golden files of the package in the working directory.
  /// Leaves out hidden folders and links.
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
        let fileExtension = (path as NSString).pathExtension
        if sourceExtensions.contains(fileExtension) {
          files.userFiles[path] = Stamp(attributes)
        } else if fileExtension == "golden"
          || ["Sources", "Tests"].contains(names.first) && !path.hasSuffix(GoldenStore.newSuffix)
        {
          files.otherFiles[path] = Stamp(attributes)
        }
      }
    }
    return files
  }

  /// Does work, and repeats it after each change of the files until the task is cancelled. Returns
  /// the last status.
  ///
  /// A change of a file that only the user changes counts even during the work. A change of another
  /// file during the work does not count, because the work may have made it. `name` names the files
  /// in the printed line.
  static func repeating(
    _ name: String, files: () -> WatchedFiles, work: () async -> ExitStatus
  ) async -> ExitStatus {
    var status = ExitStatus.success
    while !Task.isCancelled {
      let userFilesBefore = files().userFiles
      status = await work()
      guard !Task.isCancelled else { break }
      Output.error("waiting for a change of \(name); press Control-C to end\n")
      let otherFilesAfter = files().otherFiles
      while !Task.isCancelled, case let current = files(), current.userFiles == userFilesBefore,
        current.otherFiles == otherFilesAfter
      {
        try? await Task.sleep(for: .seconds(1))
      }
    }
    return status
  }
}
