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
        path, "there is nothing of '\(app.shown)' in this backup; name an app that is in it")
    }
    if let name = contents.otherExtensions.min() {
      throw BackupFolderError(
        path,
        "it has \(name), which would not be restored; add it to the app's extensions")
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
        path, "\(count.count.counted("row")): \(count.first) \(fault.rawValue); nothing is restored"
      )
    }
    guard let first = contents.withoutContents.min(by: { $0.key < $1.key }) else { return }
    throw BackupFolderError(
      path,
      "of \(contents.withoutContents.count.counted("file")) it does not hold the contents, as of "
        + "'\(first.key)': \(first.value); nothing is restored")
  }
}
