import BackupFileTree
import CBackupFiles
import Foundation

/// A copy of an item, to which the item on disk can return: contents, marks, date and permissions.
struct SavedItem: Equatable, Sendable {
  enum Contents: Equatable, Sendable {
    /// The items in a directory, in byte order of their names.
    case directory([Entry])
    case file(SavedFile)
    case link(target: [UInt8])
  }

  struct Entry: Equatable, Sendable {
    let name: ContainerPath.Component
    let item: SavedItem
  }

  let contents: Contents
  private let attributes: ItemAttributes
  private let permissions: UInt32
  /// The date of the last change of the contents, in nanoseconds since 1970.
  private let modified: Int64

  private var children: [Entry] {
    if case .directory(let children) = contents { children } else { [] }
  }

  /// The names of the attributes that an item may keep when it returns to a copy. macOS 13 and
  /// later set `com.apple.provenance` on items that some processes create (`observed`).
  private static let keptAttributeNames = Set(
    ItemAttributes.ExtendedAttribute.all.map(\.name) + [DiskPath.stampName, "com.apple.provenance"])

  // MARK: Saving

  /// Copies an item in an open directory. Returns nil for a socket, a pipe or a device.
  ///
  /// The copy shares data with `formerItem`, an earlier copy of the item.
  init?(
    _ name: UnsafePointer<CChar>, in directory: Int32, sharing formerItem: SavedItem?,
    _ store: DataStore, _ attributeNames: inout AttributeNames
  ) throws(SystemError) {
    var status = cfs_status()
    guard cfs_status_in(directory, name, &status) == 0 else { throw SystemError() }
    (permissions, modified) = (status.permissions, status.modified)
    switch UInt32(status.kind) {
    case CFS_FILE.rawValue:
      let formerParts =
        if case .file(let formerFile) = formerItem?.contents { formerFile.parts } else {
          [SavedFile.Part]()
        }
      contents = .file(try SavedFile(name, in: directory, sharing: formerParts, store))
    case CFS_DIRECTORY.rawValue:
      contents = .directory(
        try Self.children(
          of: openat(directory, name, DirectoryNames.openOptions),
          sharing: formerItem?.children ?? [], store, &attributeNames))
    case CFS_LINK.rawValue:
      contents = .link(target: try directory.target(ofLink: name))
    default: return nil
    }
    let hasAttributes = try attributeNames.read(
      at: cea_place(directory: directory, directory_path: nil, name: name))
    attributes = hasAttributes ? ItemAttributes { attributeNames.contains($0) } : .ofNewItem
  }

  private static func children(
    of descriptor: Int32, sharing formerChildren: [Entry], _ store: DataStore,
    _ attributeNames: inout AttributeNames
  ) throws(SystemError) -> [Entry] {
    try DirectoryNames.read(in: descriptor) { names throws(SystemError) in
      var children: [Entry] = []
      var remainingChildren = formerChildren[...]
      try names.forEach { name throws(SystemError) in
        while let first = remainingChildren.first, first.name < name.component {
          remainingChildren.removeFirst()
        }
        let formerChild = remainingChildren.first.flatMap { $0.name == name.component ? $0 : nil }
        let item = try SavedItem(
          name.characters, in: descriptor, sharing: formerChild?.item, store, &attributeNames)
        if let item { children.append(Entry(name: name.component, item: item)) }
      }
      // Copies with equal items share one array, because an app may have thousands of files.
      return children == formerChildren ? formerChildren : children
    }
  }

  // MARK: Going back

  /// Returns an item in an open directory to this copy. Returns true if the item was replaced.
  ///
  /// Items that equal their copies stay, and so do other directories, because creating an item
  /// takes longest. However, an item with an attribute that the kit does not know is replaced.
  @discardableResult
  func restore(
    _ name: UnsafePointer<CChar>, in directory: Int32, _ attributeNames: inout AttributeNames
  ) throws(SystemError) -> Bool {
    var status = cfs_status()
    if cfs_status_in(directory, name, &status) == 0 {
      if try update(name, status, in: directory, &attributeNames) { return false }
      try Self.remove(name, in: directory)
    } else {
      let error = SystemError()
      guard error.isMissingItem else { throw error }
    }
    try create(name, in: directory, &attributeNames)
    return true
  }

  private static func remove(
    _ name: UnsafePointer<CChar>, in directory: Int32
  ) throws(SystemError) {
    let error = cfs_remove_item(directory, name)
    guard error == 0 else { throw SystemError(error) }
  }

  /// Returns an existing item to this copy; false if it must be replaced. `status` is the item's
  /// status.
  private func update(
    _ name: UnsafePointer<CChar>, _ status: cfs_status, in directory: Int32,
    _ attributeNames: inout AttributeNames
  ) throws(SystemError) -> Bool {
    let place = cea_place(directory: directory, directory_path: nil, name: name)
    if case .link(let target) = contents {
      guard UInt32(status.kind) == CFS_LINK.rawValue else { return false }
      return try directory.target(ofLink: name) == target
    }
    // The permissions may forbid reading the names.
    let readResult = try SystemError.nilIfRefused { () throws(SystemError) in
      try attributeNames.read(at: place)
    }
    guard let hasAttributes = readResult,
      !hasAttributes || attributeNames.allNames.isSubset(of: Self.keptAttributeNames)
    else { return false }
    let formerAttributes =
      hasAttributes ? ItemAttributes { attributeNames.contains($0) } : .ofNewItem
    var hasChanged = false
    switch contents {
    case .directory(let children):
      guard status.isDirectory, status.permissions & 0o700 == 0o700 else { return false }
      hasChanged = try Self.restore(
        children, in: openat(directory, name, DirectoryNames.openOptions), &attributeNames)
    case .file(let file):
      guard UInt32(status.kind) == CFS_FILE.rawValue, status.size == file.size,
        status.modified == modified, try file.hasSameContents(as: name, in: directory)
      else { return false }
    case .link: break
    }
    try place.setAttributes(attributes, replacing: formerAttributes)
    if hasChanged || status.modified != modified {
      try directory.setModificationDate(modified, of: name)
    }
    if status.permissions != permissions { try directory.setPermissions(permissions, of: name) }
    return true
  }

  /// Returns the items in an open directory to their copies, and closes the directory. Returns true
  /// if an item of the directory was removed or replaced, which changes the directory's date.
  private static func restore(
    _ children: [Entry], in descriptor: Int32, _ attributeNames: inout AttributeNames
  ) throws(SystemError) -> Bool {
    try DirectoryNames.read(in: descriptor) { names throws(SystemError) in
      var hasChanged = false
      // On some volumes, two names that differ only in case name the same item. So all removals
      // come first.
      var remainingChildren = children[...]
      try names.forEach { name throws(SystemError) in
        while let first = remainingChildren.first, first.name < name.component {
          remainingChildren.removeFirst()
        }
        if remainingChildren.first?.name == name.component { return }
        hasChanged = true
        try remove(name.characters, in: descriptor)
      }
      for child in children {
        let name = child.name.bytes.map(CChar.init(truncatingIfNeeded:)) + [0]
        if try child.item.restore(name, in: descriptor, &attributeNames) { hasChanged = true }
      }
      return hasChanged
    }
  }

  /// Creates the item where nothing exists.
  private func create(
    _ name: UnsafePointer<CChar>, in directory: Int32, _ attributeNames: inout AttributeNames
  ) throws(SystemError) {
    switch contents {
    case .directory(let children):
      guard mkdirat(directory, name, 0o755) == 0 else { throw SystemError() }
      _ = try Self.restore(
        children, in: openat(directory, name, DirectoryNames.openOptions), &attributeNames)
    case .file(let file):
      try file.create(name, in: directory)
    case .link(let target):
      let target = target.map(CChar.init(truncatingIfNeeded:)) + [0]
      guard symlinkat(target, directory, name) == 0 else { throw SystemError() }
      return
    }
    // The attributes come first, because the permissions may forbid setting them.
    try cea_place(directory: directory, directory_path: nil, name: name).setAttributes(attributes)
    try directory.setModificationDate(modified, of: name)
    try directory.setPermissions(permissions, of: name)
  }
}
