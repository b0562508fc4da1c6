import BackupFileTree
import CBackupFiles
import Foundation

/// The extended attributes of an item. No link is followed.
extension DiskPath {
  func setAttribute(_ name: String, to value: [UInt8]) throws(SystemError) {
    try accessAttributes { diskItem throws(SystemError) in
      try diskItem.setAttribute(name, to: value)
    }
  }

  /// Removes an attribute. A missing attribute is no error.
  func removeAttribute(_ name: String) throws(SystemError) {
    try accessAttributes { diskItem throws(SystemError) in try diskItem.removeAttribute(name) }
  }

  /// Returns an attribute's value, or nil if the item has no attribute of that name.
  func attribute(_ name: String) throws(SystemError) -> [UInt8]? {
    try accessAttributes { diskItem throws(SystemError) in try diskItem.attribute(name) }
  }

  func setMark(_ marks: ExclusionMark, _ isSet: Bool) throws(SystemError) {
    try accessAttributes { diskItem throws(SystemError) in try diskItem.setMark(marks, isSet) }
  }

  func attributes() throws(SystemError) -> ItemAttributes {
    try accessAttributes { diskItem throws(SystemError) in
      try ItemAttributes { name throws(SystemError) in try diskItem.attribute(name) != nil }
    }
  }

  /// Sets the item's attributes, and removes the attributes that only `formerAttributes` has.
  func setAttributes(
    _ attributes: ItemAttributes, replacing formerAttributes: ItemAttributes = .ofNewItem
  ) throws(SystemError) {
    try accessAttributes { diskItem throws(SystemError) in
      try diskItem.setAttributes(attributes, replacing: formerAttributes)
    }
  }

  /// Returns the names of the item's attributes; none on a volume that stores no attributes.
  func attributeNames() throws(SystemError) -> Set<String> {
    try inDirectory { directory, name throws(SystemError) in
      var names = AttributeNames()
      guard try names.read(of: name, in: directory, at: self) else { return [] }
      return names.allNames
    }
  }

  /// Opens the item's directory, and runs calls that read or change the item's attributes.
  func accessAttributes<Result>(
    _ calls: (cea_place) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    try inDirectory { directory, name throws(SystemError) in
      try calls(cea_place(directory: directory, directory_path: nil, name: name))
    }
  }
}

extension cea_place {
  func setAttribute(_ name: String, to value: [UInt8]) throws(SystemError) {
    var place = self
    guard cea_set_in(&place, name, value, value.count) == 0 else { throw SystemError() }
  }

  func removeAttribute(_ name: String) throws(SystemError) {
    var place = self
    guard cea_remove_in(&place, name) == 0 || cea_is_missing_error(errno) != 0 else {
      throw SystemError()
    }
  }

  func attribute(_ name: String) throws(SystemError) -> [UInt8]? {
    var place = self
    let size = cea_get_in(&place, name, nil, 0)
    if size < 0, cea_is_missing_error(errno) != 0 { return nil }
    guard size >= 0 else { throw SystemError() }
    var value = [UInt8](repeating: 0, count: size)
    let readSize = cea_get_in(&place, name, &value, size)
    guard readSize >= 0 else { throw SystemError() }
    return Array(value.prefix(readSize))
  }

  func setAttributes(
    _ attributes: ItemAttributes, replacing formerAttributes: ItemAttributes = .ofNewItem
  ) throws(SystemError) {
    guard attributes != formerAttributes else { return }
    for attribute in ItemAttributes.ExtendedAttribute.all {
      if let value = attributes[attribute] {
        try setAttribute(attribute.name, to: value)
      } else if formerAttributes[attribute] != nil {
        try removeAttribute(attribute.name)
      }
    }
  }

  func setMark(_ marks: ExclusionMark, _ isSet: Bool) throws(SystemError) {
    for mark in ExclusionMark.all where marks.contains(mark) {
      if isSet {
        try setAttribute(mark.attributeName, to: mark.attributeValue)
      } else {
        try removeAttribute(mark.attributeName)
      }
    }
  }
}

/// The names of an item's extended attributes. The same buffer is used for each item.
struct AttributeNames {
  /// The names, each ended by a NUL.
  private var characters = [CChar](repeating: 0, count: 4096)
  /// The number of bytes in the buffer that belong to names.
  private var byteCount = 0

  /// The size of the longest list of names that any kernel returns, in bytes.
  private static let longestListSize = 1 << 17

  /// Reads the names of the attributes of an item in a directory. Returns false if it has none.
  ///
  /// No link is followed. `directory` is a descriptor, or -1 to find the directory by its path.
  mutating func read(
    of name: UnsafePointer<CChar>, in directory: Int32, at path: DiskPath
  ) throws(SystemError) -> Bool {
    try path.characters.withUnsafeBufferPointer { path throws(SystemError) in
      try read(at: cea_place(directory: directory, directory_path: path.baseAddress, name: name))
    }
  }

  /// Reads the names of the attributes of an item. Returns false if it has none.
  mutating func read(at place: cea_place) throws(SystemError) -> Bool {
    var place = place
    byteCount = cea_list_in(&place, &characters, characters.count)
    if byteCount < 0, errno == ERANGE, characters.count < Self.longestListSize {
      characters = [CChar](repeating: 0, count: Self.longestListSize)
      return try read(at: place)
    }
    if byteCount < 0 {
      let error = SystemError()
      guard error.number == ENOTSUP else { throw error }
    }
    return byteCount > 0
  }

  var allNames: Set<String> {
    let bytes = characters.prefix(max(byteCount, 0)).map { UInt8(truncatingIfNeeded: $0) }
    return Set(bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
  }

  func contains(_ name: String) -> Bool {
    characters.withUnsafeBufferPointer { buffer in
      guard var currentName = buffer.baseAddress else { return false }
      let end = currentName + max(byteCount, 0)
      while currentName < end {
        if strcmp(currentName, name) == 0 { return true }
        currentName += strlen(currentName) + 1
      }
      return false
    }
  }
}
