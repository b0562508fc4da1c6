import BackupDiagnostics
package import BackupFileTree

/// What a manifest says of one item.
package struct BackupRecord: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case file(size: Int64)
    case directory
    /// A symbolic link, with the bytes that it points to.
    case link(target: [UInt8])
  }

  package var kind: Kind
  package var attributes: ItemAttributes

  package init(_ kind: Kind, attributes: ItemAttributes = .ofNewItem) {
    self.kind = kind
    self.attributes = attributes
  }

  /// Whether it is a file, whose contents the folder must hold.
  package var isFile: Bool {
    if case .file = kind { true } else { false }
  }

  /// The number by which a manifest says what kind it is.
  var flags: Int64 {
    switch kind {
    case .file: 1
    case .directory: 2
    case .link: 4
    }
  }

  /// The mode: its kind, and its permissions or the usual ones.
  func mode(_ permissions: UInt32?) -> Int64 {
    let (bits, usual): (Int64, UInt32) =
      switch kind {
      case .file: (0o100000, 0o644)
      case .directory: (0o040000, 0o755)
      case .link: (0o120000, 0o755)
      }
    return bits | Int64(permissions ?? usual)
  }

  /// The item; of a file without what it contains.
  package var item: FileTree.Item {
    let kind: FileTree.Kind =
      switch kind {
      case .file(let size): .file(FileTree.FileInformation(size: size))
      case .directory: .directory(FileTree.Children())
      case .link(let target): .link(target: target)
      }
    return FileTree.Item(kind, attributes: attributes)
  }
}

/// One of the name spaces into which a backup sorts its items: an app's own container has one, as
/// has each of its groups and extensions.
package struct BackupDomain: Hashable, Sendable {
  /// The container's name in a tree; nil for the app's own.
  package let container: ContainerPath.Component?
  /// The domain's name: `AppDomain-`, `AppDomainGroup-` or `AppDomainPlugin-` and an identifier.
  package let name: String
  /// What is hashed before an item's path.
  private let prefix: [UInt8]

  package init(_ container: ContainerPath.Component?, of app: String) {
    self.init(
      container,
      container.map {
        ($0.isGroup ? Self.groupPrefix : Self.pluginPrefix) + $0.containerIdentifier
      } ?? Self.appPrefix + app)
  }

  /// The domain of a group, which in a tree is always called `group.`.
  package init(group: String) {
    let name = group.hasPrefix("group.") ? group : "group.\(group)"
    self.init(ContainerPath.Component(containerOf: name), Self.groupPrefix + group)
  }

  private init(_ container: ContainerPath.Component?, _ name: String) {
    self.container = container
    self.name = name
    self.prefix = Array("\(name)-".utf8)
  }

  /// The identifier of the app, the group or the extension.
  package var identifier: String { String(name.drop { $0 != "-" }.dropFirst()) }

  static let appPrefix = "AppDomain-"
  static let groupPrefix = "AppDomainGroup-"
  static let pluginPrefix = "AppDomainPlugin-"

  /// What a Manifest.plist says of the class of an app's own container.
  static let appClass = "Data/Application"

  /// The name of the file that holds an item's contents: the hash of domain and path.
  package func fileID(of path: [UInt8]) -> String { hash(of: path).hexadecimal }

  func hash(of path: [UInt8]) -> SHA1 { SHA1(of: prefix + path) }

  /// Where an item of a tree is in its domain; nothing for the container itself.
  static func relativePath(of path: ContainerPath) -> [UInt8] {
    path.pathInContainer?.bytes ?? []
  }

  /// The path in a tree of an item of the domain; nil for the container itself. The path may be
  /// from a folder that anybody may have written.
  func path(of path: [UInt8]) throws(RunError) -> ContainerPath? {
    if path.isEmpty { return container.map { ContainerPath($0) } }
    guard path.last != ContainerPath.separator else {
      throw RunError(invalidPath: "", reason: "ends in a slash")
    }
    let found = try ContainerPath(bytes: path)
    guard found.containerName == nil else {
      throw RunError(
        path: found.string,
        reason:
          "has a name that the kit reserves for another container")
    }
    return ContainerPath(found, inContainer: container)
  }
}
