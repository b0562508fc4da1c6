import BackupDiagnostics
package import BackupFileTree
import CBackupFiles
package import Foundation

/// The contents of some containers of an app, as the manifest of a backup folder describes them.
package struct BackupContents: Sendable {
  /// A fault in a manifest: something that no device writes.
  package enum Fault: String, CaseIterable, Hashable, Sendable {
    case types = "has values of unexpected types"
    /// A path that leads out of the container, or that cannot be in a container.
    case path = "has a path that is not possible in a container"
    /// A description that is not an archive of an `MBFile`, or of a kind of item that no backup has.
    case archive = "has a description that cannot be read"
    /// A description of an item or kind other than the row's own.
    case contradiction = "has a description of a different item than the row names"
    case name = "has a name that is not the hash of its domain and path"
    case twice = "is listed twice"
    case parent = "is in a directory that is not listed"
  }

  /// The records of the items, by their paths in a tree, without the containers themselves.
  package var records: [ContainerPath: BackupRecord] = [:]
  /// The requested domains that exist, and the app's others.
  package var domains: Set<BackupDomain> = []
  /// The identifiers of groups that were not requested, and that may belong to any app.
  package var otherGroups: Set<String> = []
  /// The wrapped keys of lists that the app may have written, in an encrypted backup.
  var listKeys: [ContainerPath: [UInt8]] = [:]
  /// The number of times that each fault was found, and the first item with it, on one line.
  package private(set) var faults: [Fault: (count: Int, first: String)] = [:]
  /// The files whose contents are not in the folder, with what is there instead.
  package var withoutContents: [ContainerPath: Substitute] = [:]

  mutating func addFault(_ fault: Fault, at item: @autoclosure () -> String) {
    if faults[fault] == nil { faults[fault] = (0, item()) }
    faults[fault]?.count += 1
  }

  /// The object in the folder in place of a file's contents.
  package enum Substitute: Hashable, Sendable, CustomStringConvertible {
    case nothing, other, encrypted
    /// A file of a size, in bytes, other than the one in the manifest.
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
  /// Reads the containers as they were backed up, and the places of the files' contents in the folder.
  ///
  /// The app's own container must be the first domain. An error names what is missing or wrong, or
  /// says that files are encrypted.
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

  /// Returns the name, for messages, of a list that is in the backup.
  package func name(ofList path: ContainerPath, in domain: BackupDomain) -> String {
    "\(self.path), \(domain.name)/\(path)"
  }

  /// Returns the contents of a list that the app wrote on the device; nil if the backup does not contain the list, or
  /// if it is encrypted and the password was not given.
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

// The contents of files. With a manifest that is a database, they are in folders named after the
// first two digits of their names.
extension BackupFolder {
  /// Returns the files whose contents are not in the folder, and what is there instead.
  ///
  /// Each file is looked up in its folder, which is opened once. A list of the folder would not
  /// give sizes, and a path for each item costs several times as much.
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

  /// Returns the substitute in the place of a file's contents; nil if the contents are there.
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
    // An encrypted file is padded to whole blocks, and has one more block if its size was already
    // whole.
    let isPadded = status.size % 16 == 0 && (1...16).contains(status.size - file.size)
    return isEncrypted && isPadded ? .encrypted : .size(status.size)
  }

  /// Returns the path, in the folder, of a file's contents.
  func place(of hash: SHA1) -> String {
    let name = hash.hexadecimal
    return hasDatabase ? "\(path)/\(name.prefix(2))/\(name)" : "\(path)/\(name)"
  }
}
