extension LinuxShimSource {
  /// The part of the file with the mark as an extended attribute.
  static let mark = #"""
      // MARK: - Mark

      /// The mark that keeps an item out of the backup: an attribute whose presence counts.
      nonisolated private enum LinuxShimMark {
        /// The name iOS gives the attribute.
        private static let name = "user.com.apple.metadata:com_apple_backup_excludeItem"
        /// What the kit leaves on an item while it tries code with the mark taken off.
        private static let probeName = "user.swift-backup-testing.probe"

        /// The value iOS writes, a property list that holds one string.
        private static func makeValue() throws -> Data {
          try PropertyListSerialization.data(
            fromPropertyList: "com.apple.backupd", format: .binary, options: 0)
        }

        /// Reads the mark of an item.
        ///
        /// - Parameter path: The item's absolute path.
        /// - Returns: Whether the item itself bears the mark. A marked folder above has no say.
        /// - Throws: `CocoaError.fileReadNoSuchFile` where there is no such item.
        static func isSet(atPath path: String) throws -> Bool {
          if LinuxShimAttributes.value(of: name, atPath: path) != nil { return true }
          let code = errno
          guard code == ENODATA || code == ENOTSUP else { throw LinuxShimError.reading(code, path) }
          return false
        }

        /// Sets or clears the mark of an item.
        ///
        /// - Parameters:
        ///   - isSet: Whether the item is to bear the mark.
        ///   - path: The item's absolute path.
        /// - Throws: `CocoaError.fileNoSuchFile` where there is no such item, of which the kit is
        ///   told, because `try?` hides it from the test.
        static func set(_ isSet: Bool, atPath path: String) throws {
          let code =
            try isSet
            ? LinuxShimAttributes.set(name, to: Array(makeValue()), atPath: path)
            : LinuxShimAttributes.remove(name, atPath: path)
          if isSet, code == ENOENT || code == ENOTDIR { tellKitOfMissingItem(atPath: path) }
          guard code == 0 else { throw LinuxShimError.writing(code, path) }
          if !isSet { _ = LinuxShimAttributes.remove(probeName, atPath: path) }
        }

        /// Adds a path to the file in which the kit looks for marks set where nothing is.
        private static func tellKitOfMissingItem(atPath path: String) {
          guard let folder = LinuxShimContainer.root?.deletingLastPathComponent(),
            folder.lastPathComponent.hasPrefix("sbt-")
          else { return }
          let name = folder.appendingPathComponent("marks-on-missing-items").path
          let file = unsafe open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
          guard file >= 0 else { return }
          defer { close(file) }
          let line = Array(path.utf8) + [0]
          _ = unsafe line.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
        }

        /// Gives a copied item, and all that a copied folder holds, what the originals bear: the
        /// mark, and every other attribute, as Apple's `copyfile` does.
        ///
        /// - Parameters:
        ///   - source: The original's absolute path.
        ///   - destination: The copy's absolute path.
        /// - Throws: A `CocoaError` if an attribute cannot be set.
        static func copy(fromPath source: String, toPath destination: String) throws {
          let manager = FileManager.default
          let type = try manager.attributesOfItem(atPath: source)[.type] as? FileAttributeType
          let children =
            type == .typeDirectory ? try manager.subpathsOfDirectory(atPath: source) : []
          for suffix in [""] + children.map({ "/" + $0 }) {
            let (original, copy) = (source + suffix, destination + suffix)
            let names = LinuxShimAttributes.names(atPath: original)
            // A file manager's delegate may have left an item out.
            guard !names.isEmpty, let found = try? manager.attributesOfItem(atPath: copy) else {
              continue
            }
            try setOnCopy(names, of: original, atPath: copy, found)
          }
        }

        /// Sets attributes on a copy, which may already have become read-only as its original is.
        private static func setOnCopy(
          _ names: [String], of original: String, atPath path: String,
          _ found: [FileAttributeKey: Any]
        ) throws {
          let manager = FileManager.default
          let mode = (found[.posixPermissions] as? NSNumber)?.intValue ?? 0o600
          let isLocked = mode & 0o200 == 0
          if isLocked {
            try manager.setAttributes([.posixPermissions: mode | 0o200], ofItemAtPath: path)
          }
          defer {
            if isLocked { try? manager.setAttributes([.posixPermissions: mode], ofItemAtPath: path) }
          }
          for name in names {
            guard let value = LinuxShimAttributes.value(of: name, atPath: original) else { continue }
            let code = LinuxShimAttributes.set(name, to: value, atPath: path)
            guard code == 0 else { throw LinuxShimError.writing(code, path) }
          }
        }
      }


    """#
}
