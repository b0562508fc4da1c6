import BackupDiagnostics
package import BackupFileTree
package import Foundation

extension BackupFolder {
  /// Reads all that a restore of an app needs, its own container first: the containers as they were
  /// backed up, and where the folder holds what each file holds. Refuses what is not whole, with
  /// what is missing or wrong.
  package func restorable(
    _ domains: [BackupDomain], app: String
  ) throws(BackupFolderError) -> (tree: FileTree, files: [ContainerPath: URL]) {
    let contents = try contents(of: domains, app: app)
    guard let own = domains.first, contents.domains.contains(own) else {
      throw BackupFolderError(
        path, "the backup contains nothing of '\(app.shown)'; name an app that it contains")
    }
    if let name = contents.otherExtensions.min() {
      throw BackupFolderError(
        path,
        "the backup contains \(name), which would not be restored; add it to the app's extensions")
    }
    try requireWhole(contents)
    var (tree, files) = (FileTree(), [ContainerPath: URL]())
    for path in contents.records.keys.sorted(by: { $0.precedesInWalk($1) }) {
      guard let record = contents.records[path] else { continue }
      tree.insert(FileTree.Item(record.itemKind, marks: record.marks), at: path)
      guard record.isFile,
        let domain = domains.first(where: { $0.container == path.containerName })
      else { continue }
      let hash = domain.hash(of: BackupDomain.relativePath(of: path))
      files[path] = URL(fileURLWithPath: place(of: hash))
    }
    return (tree, files)
  }

  /// Refuses a backup in which anything is missing or wrong.
  private func requireWhole(_ contents: BackupContents) throws(BackupFolderError) {
    for fault in BackupContents.Fault.allCases {
      guard let count = contents.faults[fault] else { continue }
      throw BackupFolderError(
        path,
        "nothing was restored, because the manifest is damaged "
          + "(\(count.count.counted("row"))): \(count.first) \(fault.rawValue)"
      )
    }
    guard let first = contents.withoutContents.min(by: { $0.key < $1.key }) else { return }
    throw BackupFolderError(
      path,
      "nothing was restored, because the contents of "
        + "\(contents.withoutContents.count.counted("file")) are missing, such as of "
        + "'\(first.key)': \(first.value)")
  }
}
