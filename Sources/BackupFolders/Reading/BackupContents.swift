import BackupDiagnostics
package import BackupFileTree
import CBackupFiles
package import Foundation

/// What the manifest of a backup folder says of some containers of an app.
package struct BackupContents: Sendable {
  /// Something in a manifest that no device writes.
  package enum Fault: String, CaseIterable, Hashable, Sendable {
    /// A row whose values have the wrong types.
    case types = "has values of unexpected types"
    /// A path that leads out of the container, or that no container holds.
    case path = "has a path that is not possible in a container"
    /// A description that is no archive of an `MBFile`, or of no kind of item that backups hold.
    case archive = "has a description that cannot be read"
    /// A description of another item or kind than the row's own.
    case contradiction = "has a description of a different item than the row names"
    /// A name that is not the hash of domain and path.
    case name = "has a name that is not the hash of its domain and path"
    /// A second row of the same item.
    case twice = "is listed twice"
    case parent = "is in a directory that is not listed"
  }

  /// What is said of each item, by its path in a tree; not of the containers themselves.
  package var records: [ContainerPath: BackupRecord] = [:]
  /// The domains that were asked for and are there, and the app's others.
  package var domains: Set<BackupDomain> = []
  /// The identifiers of groups that were not asked for, and that may be of any app.
  package var otherGroups: Set<String> = []
  /// The wrapped keys of lists that the app may have written, in an encrypted backup.
  var listKeys: [ContainerPath: [UInt8]] = [:]
  /// How often each fault was found, and the item where it was found first, on one line.
  package private(set) var faults: [Fault: (count: Int, first: String)] = [:]
  /// The files whose contents the folder does not hold, with what is there.
  package var withoutContents: [ContainerPath: Substitute] = [:]

  mutating func note(_ fault: Fault, at item: @autoclosure () -> String) {
    if faults[fault] == nil { faults[fault] = (0, item()) }
    faults[fault]?.count += 1
  }

  /// What is in the folder in the place of what a file holds.
  package enum Substitute: Hashable, Sendable, CustomStringConvertible {
    case nothing, other, encrypted
    /// A file of another size than the manifest says, in bytes.
    case size(Int64)

    package var description: String {
      switch self {
      case .nothing: "the file is missing"
      case .other: "something other than a file is there"
      case .encrypted: "the file is encrypted"
      case .size(let size): "a file of \(size.formattedExactSize) is there instead"
      }
    }
  }
}

extension BackupFolder {
  /// Reads all that a restore of an app needs, its own container first: the containers as they were
  /// backed up, and where the folder holds what each file holds. Refuses what is not whole, with
  /// what is missing or wrong, and files that are encrypted.
  package func restorable(
    _ domains: [BackupDomain], app: String
  ) throws(BackupFolderError) -> (tree: FileTree, files: [ContainerPath: URL]) {
    let contents = try contents(of: domains, app: app)
    guard let own = domains.first, contents.domains.contains(own) else {
      throw BackupFolderError(
        path, "the backup contains nothing of '\(app.shown)'; name an app that it contains")
    }
    if let name = contents.domains.subtracting(domains).map(\.name).min() {
      throw BackupFolderError(
        path,
        "the backup contains \(name), which would not be restored; add it to the app's "
          + "groups or extensions")
    }
    try requireWhole(contents)
    var (tree, files) = (FileTree(), [ContainerPath: URL]())
    for path in contents.records.keys.sorted(by: { $0.precedesInWalk($1) }) {
      guard let record = contents.records[path] else { continue }
      tree.insert(record.item, at: path)
      guard record.isFile,
        let domain = domains.first(where: { $0.container == path.containerName })
      else { continue }
      let hash = domain.hash(of: BackupDomain.relativePath(of: path))
      files[path] = URL(fileURLWithPath: place(of: hash))
    }
    return (tree, files)
  }

  /// How messages name a list that is in the backup.
  package func name(ofList path: ContainerPath, in domain: BackupDomain) -> String {
    "\(self.path), \(domain.name)/\(path)"
  }

  /// What a list holds that the app wrote on the device; nil if the backup does not contain it, or
  /// without the password.
  package func bytes(
    ofList path: ContainerPath, in domain: BackupDomain, _ contents: BackupContents
  ) throws(BackupFolderError) -> [UInt8]? {
    guard case .file(let size)? = contents.records[path]?.kind else { return nil }
    let file = place(of: domain.hash(of: BackupDomain.relativePath(of: path)))
    let name = name(ofList: path, in: domain)
    switch (contents.withoutContents[path], keys) {
    case (nil, _): return try Self.bytes(at: file, atMost: ContainerList.largest)
    case (.encrypted, let keys?):
      let bytes = try Self.bytes(at: file, atMost: ContainerList.largest + 16)
      guard let key = contents.listKeys[path].flatMap(keys.unwrap),
        let plain = KeyBag.decrypt(bytes, by: key)
      else {
        throw BackupFolderError(
          name, "cannot be decrypted: its key is missing or damaged; take the backup again")
      }
      return Array(plain.prefix(Int(size)))
    case (.size(let other), _):
      throw BackupFolderError(
        name, "is damaged: it has \(size) bytes, and the folder \(other); take the backup again")
    default: return nil
    }
  }

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

// What the files hold: with a manifest that is a database, in folders by the first two digits of
// their names.
extension BackupFolder {
  /// The files whose contents the folder does not hold, and what is there instead. Each file is
  /// looked up in its folder, which is opened once: a list of the folder would not give sizes, and
  /// a path for each item costs several times as much.
  func substitutes(
    for files: [ManifestIntake.File]
  ) throws(BackupFolderError) -> [ContainerPath: BackupContents.Substitute] {
    var divisions = [[Int]](repeating: [], count: hasDatabase ? 256 : 1)
    for (index, file) in files.enumerated() {
      divisions[hasDatabase ? Int(file.hash.firstByte) : 0].append(index)
    }
    var substitutes: [ContainerPath: BackupContents.Substitute] = [:]
    for indices in divisions where !indices.isEmpty {
      let hash = files[indices[0]].hash.hexadecimal
      let directory = try open(hasDatabase ? String(hash.prefix(2)) : "")
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

  /// Opens the folder itself, or one in it, without following links; nil if it does not exist.
  private func open(_ name: String) throws(BackupFolderError) -> Int32? {
    let directory = cfs_open_beneath(path, name)
    if directory >= 0 { return directory }
    let number = errno
    if number == ENOENT || number == ENOTDIR { return nil }
    throw BackupFolderError(name.isEmpty ? path : "\(path)/\(name)", number)
  }

  /// What is in the place of what a file holds; nil for just that.
  private func substitute(
    for file: ManifestIntake.File, in directory: Int32
  ) throws(BackupFolderError) -> BackupContents.Substitute? {
    var status = cfs_status()
    guard cfs_status_in(directory, file.hash.hexadecimal, &status) == 0 else {
      let number = errno
      if number == ENOENT { return .nothing }
      throw BackupFolderError(place(of: file.hash), number)
    }
    guard UInt32(status.kind) == CFS_FILE.rawValue else { return .other }
    if status.size == file.size { return nil }
    // An encrypted file is filled up to whole blocks, and has one more if it had whole ones.
    let isPadded = status.size % 16 == 0 && (1...16).contains(status.size - file.size)
    return isEncrypted && isPadded ? .encrypted : .size(status.size)
  }

  /// Where the folder holds what a file holds.
  func place(of hash: SHA1) -> String {
    let name = hash.hexadecimal
    return hasDatabase ? "\(path)/\(name.prefix(2))/\(name)" : "\(path)/\(name)"
  }
}
