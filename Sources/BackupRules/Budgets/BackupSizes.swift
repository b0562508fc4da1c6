package import BackupDevice
import BackupDiagnostics
package import BackupFileTree
package import BackupScenarios

/// The size of a backup, divided by class and by folder.
package struct BackupSizes {
  /// The total of each class, by the class's name. Files that match no pattern count for
  /// `undeclared`. Nil if the scenario gives no classes.
  package let byClass: [String: FileTotal]?
  /// The total of each topmost folder, and of each folder directly in Library, in the order of
  /// their paths. The folder is nil for files in no folder.
  package let byFolder: [(folder: ContainerPath?, sum: FileTotal)]

  package init(of backup: BackupSet, _ promises: FilePromises?) {
    var byClass: [String: FileTotal] = [:]
    var byFolder: [ContainerPath?: FileTotal] = [:]
    backup.forEachFile { path, size in
      byFolder[Self.folder(of: path), default: FileTotal()].addFile(size)
      guard let promises else { return }
      let name = promises.dataClass(of: path)?.rawValue ?? "undeclared"
      byClass[name, default: FileTotal()].addFile(size)
    }
    self.byClass = promises == nil ? nil : byClass
    self.byFolder = byFolder.map { ($0.key, $0.value) }.sorted {
      ($0.folder?.bytes ?? []).lexicographicallyPrecedes($1.folder?.bytes ?? [])
    }
  }

  private static func folder(of path: ContainerPath) -> ContainerPath? {
    let folders = path.ancestors
    let isInLibrary = folders.first == ContainerPath.StandardLocation.library.path
    return folders.prefix(isInLibrary ? 2 : 1).last
  }

  /// A line on the folders, and a line on the classes, if the scenario gives any.
  var breakdownLines: [String] {
    ["by folder: \(Self.list(byFolder.map { ($0.folder?.description ?? ".", $0.sum) }))"]
      + (byClass.map { ["by class: \(Self.list($0.map { ($0.key, $0.value) }))"] } ?? [])
  }

  private static let maximumListedCount = 6

  /// Returns the largest sums, and the number of the others:
  /// `Documents 2.0 MB in 3 files and 4 more`.
  private static func list(_ sums: [(name: String, sum: FileTotal)]) -> String {
    let largestFirst = sums.sorted { ($1.sum.byteCount, $0.name) < ($0.sum.byteCount, $1.name) }
    let listedSums = largestFirst.prefix(maximumListedCount).map { name, sum in
      "\(name) \(sum.byteCount.formattedSize) in \(sum.fileCount.counted("file"))"
    }
    let otherCount = largestFirst.count - listedSums.count
    return (listedSums + (otherCount > 0 ? ["\(otherCount) more"] : [])).joinedInWords
  }
}
