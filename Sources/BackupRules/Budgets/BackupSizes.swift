package import BackupDevice
import BackupDiagnostics
package import BackupFileTree
package import BackupScenarios

/// The size of a backup, by the files' classes and by folders.
package struct BackupSizes {
  /// The files of each class, by the class's name, or `undeclared` for files that no pattern names. Nil if the
  /// app promised no classes.
  package let byClass: [String: FileSum]?
  /// The files in each topmost folder, and in each folder in Library, in the order of their paths. Nil stands for
  /// files in no folder.
  package let byFolder: [(folder: ContainerPath?, sum: FileSum)]

  package init(of set: BackupSet, _ promises: FilePromises?) {
    var byClass: [String: FileSum] = [:]
    var byFolder: [ContainerPath?: FileSum] = [:]
    set.forEachFile { path, size in
      byFolder[Self.folder(of: path), default: FileSum()].add(size)
      guard let promises else { return }
      let name = promises.dataClass(of: path)?.rawValue ?? "undeclared"
      byClass[name, default: FileSum()].add(size)
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

  /// A line for the folders, and a line for the classes if there are any.
  var spread: [String] {
    ["by folder: \(Self.words(byFolder.map { ($0.folder?.description ?? ".", $0.sum) }))"]
      + (byClass.map { ["by class: \(Self.words($0.map { ($0.key, $0.value) }))"] } ?? [])
  }

  private static let mostNamed = 6

  private static func words(_ sums: [(name: String, sum: FileSum)]) -> String {
    let sorted = sums.sorted { ($1.sum.bytes, $0.name) < ($0.sum.bytes, $1.name) }
    let named = sorted.prefix(mostNamed).map { name, sum in
      "\(name) \(sum.bytes.formattedSize) in \(sum.files.counted("file"))"
    }
    let rest = sorted.count - named.count
    return (named + (rest > 0 ? ["\(rest) more"] : [])).joinedInWords
  }
}
