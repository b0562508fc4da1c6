package import BackupFileTree

extension ContainerPath: ExpressibleByStringLiteral {
  /// Creates a path from a literal, without checking that it is valid.
  package init(stringLiteral text: String) {
    self.init(unchecked: Array(text.utf8))
  }
}

extension FileOperation {
  /// Writes a short text atomically, as most saves do.
  package static func save(_ path: ContainerPath) -> FileOperation {
    .write(path, .text("saved"), method: .atomically)
  }

  /// Marks an item with the resource value, as today's apps do.
  package static func mark(_ path: ContainerPath) -> FileOperation {
    .setMark(.resourceValue, on: path, to: true)
  }

  package static func makeDirectory(_ path: ContainerPath) -> FileOperation {
    .createDirectory(path, intermediates: false)
  }
}
