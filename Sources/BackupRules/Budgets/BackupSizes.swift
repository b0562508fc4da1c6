package import BackupDevice
import BackupDiagnostics
package import BackupFileTree
package import BackupScenarios

/// What a backup holds, summed up by the files' classes and by the folders at the top.
package struct BackupSizes {
  /// The files of each class, by its name; `undeclared` for those that no pattern names. Nil where
  /// the app promised nothing of its files.
  package let byClass: [String: FileSum]?
  /// The files in each folder, in order: a topmost one, in Library also the one below it; nil for
  /// what is in none.
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

  /// A line for the folders, and one for the classes where there are any.
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
