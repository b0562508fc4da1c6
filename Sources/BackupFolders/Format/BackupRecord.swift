import BackupDiagnostics
package import BackupFileTree

/// A manifest's description of one item.
package struct BackupRecord: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case file(size: Int64)
    case directory
    /// A symbolic link, with the bytes of its target.
    case link(target: [UInt8])
  }

  package var kind: Kind
  package var attributes: ItemAttributes

  package init(_ kind: Kind, attributes: ItemAttributes = .ofNewItem) {
    self.kind = kind
    self.attributes = attributes
  }

  /// True if the item is a file. Only a file has contents in the backup folder.
  package var isFile: Bool {
    if case .file = kind { true } else { false }
  }

  /// The number that stands for the kind in a manifest.
  var flags: Int64 {
    switch kind {
    case .file: 1
    case .directory: 2
    case .link: 4
    }
  }

  /// Returns the mode of the item: the bits of its kind and the permissions. If `permissions` is
  /// nil, the mode has the default permissions of the kind.
  func mode(_ permissions: UInt32?) -> Int64 {
    let (kindBits, defaultPermissions): (Int64, UInt32) =
      switch kind {
      case .file: (0o100000, 0o644)
      case .directory: (0o040000, 0o755)
      case .link: (0o120000, 0o755)
      }
    return kindBits | Int64(permissions ?? defaultPermissions)
  }

  /// The item for a tree. A file has a size, but no contents.
  package var treeItem: FileTree.Item {
    let kind: FileTree.Kind =
      switch kind {
      case .file(let size): .file(FileTree.FileInformation(size: size))
      case .directory: .directory(FileTree.Children())
      case .link(let target): .link(target: target)
      }
    return FileTree.Item(kind, attributes: attributes)
  }
}

/// A domain of a backup. It stands for one container: the app's own, a group's or an extension's.
package struct BackupDomain: Hashable, Sendable {
  /// The container's name in a tree, or nil for the app's own container.
  package let container: ContainerPath.Component?
  /// The domain's name in the manifest: `AppDomain-`, `AppDomainGroup-` or `AppDomainPlugin-`, and
  /// an identifier.
  package let name: String
  /// The bytes before an item's path when the path is hashed.
  private let hashPrefix: [UInt8]

  package init(_ container: ContainerPath.Component?, of app: String) {
    self.init(
      container,
      container.map {
        ($0.isGroup ? Self.groupPrefix : Self.pluginPrefix) + $0.containerIdentifier
      } ?? Self.appPrefix + app)
  }

  /// Creates the domain of a group. The container's name in a tree always begins with `group.`.
  package init(group: String) {
    let name = group.hasPrefix("group.") ? group : "group.\(group)"
    self.init(ContainerPath.Component(containerOf: name), Self.groupPrefix + group)
  }

  private init(_ container: ContainerPath.Component?, _ name: String) {
    self.container = container
    self.name = name
    self.hashPrefix = Array("\(name)-".utf8)
  }

  /// The identifier of the app, the group or the extension.
  package var identifier: String { String(name.drop { $0 != "-" }.dropFirst()) }

  static let appPrefix = "AppDomain-"
  static let groupPrefix = "AppDomainGroup-"
  static let pluginPrefix = "AppDomainPlugin-"

  /// The content class of an app's own container in Manifest.plist.
  static let appContentClass = "Data/Application"

  /// Returns the name of the file with an item's contents: the hash of the domain and the path.
  package func fileID(of path: [UInt8]) -> String { hash(of: path).hexadecimal }

  func hash(of path: [UInt8]) -> SHA1 { SHA1(of: hashPrefix + path) }

  /// Returns the path of an item in its domain, which is empty for the container itself.
  static func relativePath(of path: ContainerPath) -> [UInt8] {
    path.pathWithoutContainerName?.bytes ?? []
  }

  /// Returns the path in a tree for a path in the domain. Returns nil for the app's own container
  /// itself. `path` may be from an untrusted source.
  func treePath(of path: [UInt8]) throws(RunError) -> ContainerPath? {
    if path.isEmpty { return container.map { ContainerPath($0) } }
    guard path.last != ContainerPath.separator else {
      throw RunError(invalidPath: "", reason: "ends in a slash")
    }
    let relativePath = try ContainerPath(bytes: path)
    guard relativePath.containerName == nil else {
      throw RunError(
        unavailablePath: relativePath.string,
        reason:
          "has a name that the kit reserves for another container")
    }
    return ContainerPath(relativePath, inContainer: container)
  }
}
