import BackupDiagnostics
package import BackupFileTree
import CBackupFiles
package import Foundation

/// The contents of some containers of an app, as the manifest of a backup folder describes them.
package struct BackupContents: Sendable {
  /// A fault in a manifest. The manifests that devices write have none.
  package enum Fault: String, CaseIterable, Hashable, Sendable {
    case wrongTypes = "has values of unexpected types"
    /// A path that leads out of the container, or that is not possible in a container.
    case impossiblePath = "has a path that is not possible in a container"
    /// A description that is not an archive of an `MBFile`, or that has a kind of item that no
    /// backup contains.
    case unreadableArchive = "has a description that cannot be read"
    /// A description of another item, or of another kind of item, than the row states.
    case contradiction = "has a description of a different item than the row names"
    case wrongName = "has a name that is not the hash of its domain and path"
    case duplicateItem = "is listed twice"
    case unlistedParent = "is in a directory that is not listed"
  }

  /// The records of the items, by their paths in a tree. The app's own container has no record.
  package var records: [ContainerPath: BackupRecord] = [:]
  /// The domains that the backup contains: those passed to `contents(of:app:)`, and other domains
  /// of the app.
  package var domains: Set<BackupDomain> = []
  /// The identifiers of some groups in the backup whose domains are not in `domains`. These groups
  /// may belong to any app.
  package var otherGroups: Set<String> = []
  /// The wrapped keys of the container lists (`ContainerList`), if the backup is encrypted.
  var wrappedListKeys: [ContainerPath: [UInt8]] = [:]
  /// For each fault, the number of items that have it, and the first such item as text on one line.
  package private(set) var faults: [Fault: (count: Int, first: String)] = [:]
  /// The files whose contents are not in the folder, and the object that is there instead.
  package var filesWithoutContents: [ContainerPath: Substitute] = [:]

  mutating func addFault(_ fault: Fault, at item: @autoclosure () -> String) {
    if faults[fault] == nil { faults[fault] = (0, item()) }
    faults[fault]?.count += 1
  }

  /// The object that the folder has in place of a file's contents.
  package enum Substitute: Hashable, Sendable, CustomStringConvertible {
    case nothing, nonFile, encrypted
    /// A file whose size in bytes is not the size in the manifest.
    case fileOfSize(Int64)

    package var description: String {
      switch self {
      case .nothing: "the file is missing"
      case .nonFile: "something other than a file is there"
      case .encrypted: "the file is encrypted"
      case .fileOfSize(let size): "a file of \(size.formattedExactSize) is there instead"
      }
    }
  }
}

extension BackupFolder {
  /// Reads the containers of an app for a restore: their items, and the URL of each file's contents
  /// in the folder. The first domain must be that of the app's own container. Throws an error if
  /// items are missing, damaged or encrypted.
  package func restorableContents(
    _ domains: [BackupDomain], app: String
  ) throws(BackupFolderError) -> (tree: FileTree, files: [ContainerPath: URL]) {
    let contents = try contents(of: domains, app: app)
    guard let appDomain = domains.first, contents.domains.contains(appDomain) else {
      throw BackupFolderError(
        path, "the backup contains nothing of '\(app.escapedExcerpt)'; name an app that it contains"
      )
    }
    if let name = contents.domains.subtracting(domains).map(\.name).min() {
      throw BackupFolderError(
        path,
        "the backup contains \(name), which would not be restored; add it to the app's "
          + "groups or extensions")
    }
    try requireRestorable(contents)
    var (tree, files) = (FileTree(), [ContainerPath: URL]())
    for path in contents.records.keys.sorted(by: { $0.precedesInWalk($1) }) {
      guard let record = contents.records[path] else { continue }
      tree.insert(record.treeItem, at: path)
      guard record.isFile,
        let domain = domains.first(where: { $0.container == path.containerName })
      else { continue }
      let hash = domain.hash(of: BackupDomain.relativePath(of: path))
      files[path] = URL(fileURLWithPath: contentsPath(of: hash))
    }
    return (tree, files)
  }

  /// Returns the name of a container list in the backup, for messages.
  package func name(ofList path: ContainerPath, in domain: BackupDomain) -> String {
    "\(self.path), \(domain.name)/\(path)"
  }

  /// Returns the contents of a container list (`ContainerList`). Returns nil if the backup does not
  /// contain the list or its contents. Also returns nil if the list is encrypted and no password
  /// has unlocked the backup.
  package func bytes(
    ofList path: ContainerPath, in domain: BackupDomain, _ contents: BackupContents
  ) throws(BackupFolderError) -> [UInt8]? {
    guard case .file(let size)? = contents.records[path]?.kind else { return nil }
    let file = contentsPath(of: domain.hash(of: BackupDomain.relativePath(of: path)))
    let name = name(ofList: path, in: domain)
    switch (contents.filesWithoutContents[path], keys) {
    case (nil, _): return try Self.bytes(at: file, atMost: ContainerList.maximumSize)
    case (.encrypted, let keys?):
      let bytes = try Self.bytes(at: file, atMost: ContainerList.maximumSize + 16)
      guard let key = contents.wrappedListKeys[path].flatMap(keys.unwrap),
        let plain = KeyBag.decrypt(bytes, by: key)
      else {
        throw BackupFolderError(
          name, "cannot be decrypted: its key is missing or damaged; take the backup again")
      }
      return Array(plain.prefix(Int(size)))
    case (.fileOfSize(let actualSize), _):
      throw BackupFolderError(
        name,
        "is damaged: it has \(size) bytes, and the folder \(actualSize); take the backup again")
    default: return nil
    }
  }

  /// Throws an error if the manifest has a fault, or if the folder lacks the contents of a file.
  private func requireRestorable(_ contents: BackupContents) throws(BackupFolderError) {
    for fault in BackupContents.Fault.allCases {
      guard let occurrences = contents.faults[fault] else { continue }
      throw BackupFolderError(
        path,
        "nothing was restored, because the manifest is damaged "
          + "(\(occurrences.count.counted("row"))): \(occurrences.first) \(fault.rawValue)"
      )
    }
    guard let first = contents.filesWithoutContents.min(by: { $0.key < $1.key }) else { return }
    throw BackupFolderError(
      path,
      "nothing was restored, because the contents of "
        + "\(contents.filesWithoutContents.count.counted("file")) are missing, such as of "
        + "'\(first.key)': \(first.value)")
  }
}

// The contents of files. If the manifest is a database, a file is in a folder named after the first
// two digits of the file's name: `ab/ab12…`.
extension BackupFolder {
  /// Returns the files whose contents are not in the folder, and the object that is there instead.
  ///
  /// To save time, opens each folder once, and looks up its files by their names. A lookup by a
  /// whole path costs several times as much. A list of the folder has no sizes.
  func substitutes(
    for files: [ManifestCollector.File]
  ) throws(BackupFolderError) -> [ContainerPath: BackupContents.Substitute] {
    var indicesByFolder = [[Int]](repeating: [], count: manifestIsDatabase ? 256 : 1)
    for (index, file) in files.enumerated() {
      indicesByFolder[manifestIsDatabase ? Int(file.hash.firstByte) : 0].append(index)
    }
    var substitutes: [ContainerPath: BackupContents.Substitute] = [:]
    for indices in indicesByFolder where !indices.isEmpty {
      let hash = files[indices[0]].hash.hexadecimal
      let directory = try open(manifestIsDatabase ? String(hash.prefix(2)) : "")
      defer { if let directory { close(directory) } }
      for file in indices.lazy.map({ files[$0] }) {
        guard let directory else {
          substitutes[file.path] = .nothing
          continue
        }
        substitutes[file.path] = try substitute(for: file, in: directory)
      }
    }
    return substitutes
  }

  /// Opens a folder in this folder by its name, without following links. If the name is empty,
  /// opens this folder itself. Returns nil if there is no such folder.
  private func open(_ name: String) throws(BackupFolderError) -> Int32? {
    let directory = cfs_open_beneath(path, name)
    if directory >= 0 { return directory }
    let errorNumber = errno
    if errorNumber == ENOENT || errorNumber == ENOTDIR { return nil }
    throw BackupFolderError(name.isEmpty ? path : "\(path)/\(name)", errorNumber)
  }

  /// Returns the object in place of a file's contents, or nil if the contents are there.
  private func substitute(
    for file: ManifestCollector.File, in directory: Int32
  ) throws(BackupFolderError) -> BackupContents.Substitute? {
    var status = cfs_status()
    guard cfs_status_in(directory, file.hash.hexadecimal, &status) == 0 else {
      let errorNumber = errno
      if errorNumber == ENOENT { return .nothing }
      throw BackupFolderError(contentsPath(of: file.hash), errorNumber)
    }
    guard UInt32(status.kind) == CFS_FILE.rawValue else { return .nonFile }
    if status.size == file.size { return nil }
    // Encryption pads a file to whole blocks of 16 bytes, always by at least one byte.
    let isPadded = status.size % 16 == 0 && (1...16).contains(status.size - file.size)
    return isEncrypted && isPadded ? .encrypted : .fileOfSize(status.size)
  }

  /// Returns the path of a file's contents in the folder.
  func contentsPath(of hash: SHA1) -> String {
    let name = hash.hexadecimal
    return manifestIsDatabase ? "\(path)/\(name.prefix(2))/\(name)" : "\(path)/\(name)"
  }
}
