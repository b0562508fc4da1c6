package import BackupContainer
package import BackupDevice
package import BackupDiagnostics
package import BackupFileTree
package import Foundation

/// A simulated backup, with a record of each item as a backup folder needs it.
package struct SimulatedBackup: Sendable {
  package struct Item: Sendable {
    package let domain: BackupDomain
    /// The path in the domain, which is empty for the container itself.
    package let relativePath: [UInt8]
    /// The path in the tree, or nil for the app's own container.
    package let treePath: ContainerPath?
    package let record: BackupRecord
    package let observation: FileTree.Observation
    package fileprivate(set) var permissions: UInt32?
  }

  /// The items. Each container comes before its items, and each directory before its contents.
  package private(set) var items: [Item] = []
  /// The domains of all containers of the app. The backup may have no items of some domains.
  private let domains: [BackupDomain]
  /// Copies of the databases with write-ahead logs. The copies contain the changes from the logs.
  private var databases: ContainerArchive?

  /// Creates a backup whose file contents come from a real container.
  package init(
    _ set: BackupSet, of tree: FileTree, in container: FakeContainer, app: String
  ) throws(RunError) {
    let logs = set.writeAheadLogs
    let databases = try ContainerArchive(of: Array(logs.keys), logs: logs, in: container)
    var tree = tree
    tree.setSizes(databases.databaseSizes)
    self.init(set, of: tree, app: app)
    self.databases = databases
    // Links and containers get default permissions: a link's permissions have no effect, and the
    // kit sets those of a container.
    for (index, item) in items.enumerated() where !item.relativePath.isEmpty {
      if case .link = item.record.kind { continue }
      guard let path = item.treePath else { continue }
      items[index].permissions = try container.permissions(of: path)
    }
  }

  package init(_ set: BackupSet, of tree: FileTree, app: String) {
    self.domains = tree.containerNames.map { BackupDomain($0, of: app) }
    for domain in domains {
      let name = domain.container
      let included = set.decisions.filter { $0.isIncluded && $0.path.containerName == name }
      guard !included.isEmpty else { continue }
      if name == nil { add(FileTree.Item(.directory(tree.children)), at: nil, in: domain) }
      for decision in included {
        guard let item = tree[decision.path] else { continue }
        add(item, at: decision.path, in: domain)
      }
    }
  }

  private mutating func add(_ item: FileTree.Item, at path: ContainerPath?, in domain: BackupDomain)
  {
    guard let kind = BackupRecord.Kind(item.kind) else { return }
    let record = BackupRecord(kind, attributes: item.attributes)
    var observation = item.observation
    observation.inode = UInt64(items.count + 1)
    items.append(
      Item(
        domain: domain, relativePath: path.map(BackupDomain.relativePath) ?? [], treePath: path,
        record: record, observation: observation))
  }

  /// Writes the backup with the contents of the container's files. Returns the device's folder.
  package func write(
    of origin: BackupOrigin, to folder: String, from container: FakeContainer
  ) throws(BackupFolderError) -> String {
    try write(of: origin, to: folder) { path, url in
      if try databases?.copyFile(path, to: url) != true { try container.copyFile(path, to: url) }
    }
  }

  /// Writes `<folder>/<device>/Manifest.db` and the other files of a backup into a new folder.
  /// Returns the device's folder. After an error, the new folder does not exist. `copy` writes the
  /// contents of a file in the tree to a URL where nothing exists.
  package func write(
    of origin: BackupOrigin, to folder: String,
    copying copy: (ContainerPath, URL) throws -> Void
  ) throws(BackupFolderError) -> String {
    do {
      try ScratchFolder.makeFolder(at: folder.withoutEndingSlash) { work in
        let device = work.appendingPathComponent(origin.deviceIdentifier, isDirectory: true)
        try device.makeFolder()
        try writeLists(of: origin, to: device)
        try writeManifest(to: device)
        try writeContents(to: device, copying: copy)
      }
    } catch let error as BackupFolderError {
      throw error
    } catch let error as RunError where error.code == .unwritable {
      throw BackupFolderError(folder, error.description)
    } catch {
      let reason = (error as? RunError)?.description ?? error.reason
      throw BackupFolderError(folder, "cannot be written: \(reason)")
    }
    return "\(folder.withoutEndingSlash)/\(origin.deviceIdentifier)"
  }

  private func writeLists(of origin: BackupOrigin, to device: URL) throws {
    let lists = [
      ("Manifest.plist", origin.manifestList(of: domains)), ("Info.plist", origin.informationList),
      ("Status.plist", origin.statusList),
    ]
    for (name, list) in lists {
      try Data(list.binaryBytes).write(to: device.appendingPathComponent(name))
    }
  }

  /// Writes the contents of each file into a folder named after the first two digits of the file's
  /// name.
  private func writeContents(
    to device: URL, copying copy: (ContainerPath, URL) throws -> Void
  ) throws {
    for item in items where item.record.isFile {
      guard let path = item.treePath else { continue }
      let name = item.domain.fileID(of: item.relativePath)
      let folder = device.appendingPathComponent(String(name.prefix(2)), isDirectory: true)
      try folder.makeFolder()
      try copy(path, folder.appendingPathComponent(name))
    }
  }

  /// The tables of a manifest, and the values in the header of the database file.
  private static let schema = """
    PRAGMA page_size = 4096;
    PRAGMA journal_mode = MEMORY;
    PRAGMA user_version = 2;
    CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, flags INTEGER, \
    file BLOB);
    CREATE INDEX FilesDomainIdx ON Files(domain);
    CREATE INDEX FilesRelativePathIdx ON Files(relativePath);
    CREATE INDEX FilesFlagsIdx ON Files(flags);
    CREATE TABLE Properties (key TEXT PRIMARY KEY, value BLOB);
    """

  private func writeManifest(to device: URL) throws(BackupFolderError) {
    let database = try SQLiteDatabase(path: device.appendingPathComponent("Manifest.db").path)
    try database.execute(Self.schema)
    try database.execute("BEGIN")
    let insertion = try database.prepare("INSERT INTO Files VALUES (?, ?, ?, ?, ?)")
    for item in items {
      var isText = true
      if case .link(let target) = item.record.kind { isText = String(validUTF8: target) != nil }
      guard isText, let text = String(validUTF8: item.relativePath) else {
        throw BackupFolderError(
          EscapedText.escape(item.relativePath),
          "its name or target is not UTF-8, so a manifest cannot contain it")
      }
      let archive = item.record.archive(at: text, item.observation, permissions: item.permissions)
      try insertion.run(
        .text(Array(item.domain.fileID(of: item.relativePath).utf8)),
        .text(Array(item.domain.name.utf8)), .text(item.relativePath),
        .integer(item.record.flags), .blob(archive))
    }
    try database.execute("COMMIT")
  }
}

extension BackupRecord.Kind {
  /// Creates the kind of an item in a manifest, or returns nil for an item that no backup contains.
  package init?(_ kind: FileTree.Kind) {
    switch kind {
    case .file(let information): self = .file(size: information.size)
    case .directory: self = .directory
    case .link(let target): self = .link(target: target)
    case .special, .unreadable: return nil
    }
  }
}

/// The device and the app that a backup folder is from.
package struct BackupOrigin: Sendable {
  package var app: String
  package var appVersion: String
  package var system: SystemVersion
  /// The seed of the device's identifier. With the same seed, the folder has the same name.
  package var seed: String
  /// The date of the backup, in seconds since 2001.
  package var date: Double

  package init(app: String, appVersion: String, system: SystemVersion, seed: String, date: Double) {
    self.app = app
    self.appVersion = appVersion
    self.system = system
    self.seed = seed
    self.date = date
  }

  /// The device's identifier, which has 40 hexadecimal digits.
  package var deviceIdentifier: String { SHA1(of: Array(seed.utf8)).hexadecimal }

  private static let name = "backup-testing"

  /// Returns the property list `Manifest.plist` for a backup of some containers.
  func manifestList(of domains: [BackupDomain]) -> PropertyList {
    .dictionary([
      "IsEncrypted": .boolean(false), "WasPasscodeSet": .boolean(false), "BackupKeyBag": .data([]),
      "Version": .string("10.0"), "SystemDomainsVersion": .string("24.0"), "Date": .date(date),
      "Applications": .dictionary(
        Dictionary(uniqueKeysWithValues: domains.map { entry(of: $0.container) })),
      "Lockdown": .dictionary([
        "ProductVersion": .string(system.description), "DeviceName": .string(Self.name),
        "SerialNumber": .string(serialNumber), "ProductType": .string(Self.product),
        "BuildVersion": .string(Self.build), "UniqueDeviceID": .string(deviceIdentifier),
      ]),
    ])
  }

  /// Returns the identifier of a container and the container's entry in `Manifest.plist`.
  private func entry(of container: ContainerPath.Component?) -> (String, PropertyList) {
    let identifier = container?.containerIdentifier ?? app
    let bundle = "/var/containers/Bundle/Application/\(deviceIdentifier)/App.app"
    var entry: [String: PropertyList] = ["CFBundleIdentifier": .string(identifier)]
    if container == nil {
      entry["ContainerContentClass"] = .string(BackupDomain.appContentClass)
      entry["CFBundleVersion"] = .string(appVersion)
      entry["Path"] = .string(bundle)
    } else if container?.isGroup == true {
      entry["ContainerContentClass"] = .string("Shared/AppGroup")
    } else {
      entry["ContainerContentClass"] = .string("Data/PluginKitPlugin")
      entry["Path"] = .string("\(bundle)/PlugIns/\(identifier).appex")
    }
    return (identifier, .dictionary(entry))
  }

  /// The property list `Info.plist`.
  var informationList: PropertyList {
    .dictionary([
      "Target Identifier": .string(deviceIdentifier),
      "Unique Identifier": .string(deviceIdentifier.uppercased()),
      "Target Type": .string("Device"), "Installed Applications": .array([.string(app)]),
      "IMEI": .string("000000000000000"), "iTunes Version": .string("12.13"),
      "Build Version": .string(Self.build), "Device Name": .string(Self.name),
      "Display Name": .string(Self.name), "GUID": .string(deviceIdentifier.uppercased()),
      "Last Backup Date": .date(date), "Product Name": .string(Self.name),
      "Product Type": .string(Self.product), "Product Version": .string(system.description),
      "Serial Number": .string(serialNumber),
    ])
  }

  /// The property list `Status.plist`.
  var statusList: PropertyList {
    .dictionary([
      "Date": .date(date), "Version": .string("3.3"), "IsFullBackup": .boolean(true),
      "BackupState": .string("new"), "SnapshotState": .string("finished"),
      "UUID": .string(Self.uuid(deviceIdentifier)),
    ])
  }

  /// A device model and a build that do not exist.
  private static let (product, build) = ("iPhone0,0", "00A000")

  private var serialNumber: String { String(deviceIdentifier.uppercased().prefix(12)) }

  private static func uuid(_ digits: String) -> String {
    let digits = Array(digits.uppercased())
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
      .joined(separator: "-")
  }
}
