extension LinuxShimSource {
  /// The part of the file with the mark as an extended attribute.
  static let mark = #"""
      // MARK: - Mark

      // Declared here because Swift's Glibc module leaves out <sys/xattr.h>.

      /// Sets an extended attribute of an item, not of what it links to; 0, or -1 with `errno`.
      @_silgen_name("lsetxattr")
      nonisolated private func linuxShimSetAttribute(
        _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>, _ value: UnsafeRawPointer,
        _ size: Int, _ flags: CInt
      ) -> CInt

      /// Reads an extended attribute of an item, not of what it links to; its size, or -1.
      @_silgen_name("lgetxattr")
      nonisolated private func linuxShimGetAttribute(
        _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>,
        _ value: UnsafeMutableRawPointer?, _ size: Int
      ) -> Int

      /// Removes an extended attribute of an item, not of what it links to; 0, or -1 with `errno`.
      @_silgen_name("lremovexattr")
      nonisolated private func linuxShimRemoveAttribute(
        _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>
      ) -> CInt

      /// The mark that keeps an item out of the backup: an attribute whose presence counts.
      nonisolated private enum LinuxShimMark {
        /// The name iOS gives the attribute, in the namespace that Linux leaves to users.
        private static let name = "user.com.apple.metadata:com_apple_backup_excludeItem"

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
          if unsafe linuxShimGetAttribute(path, name, nil, 0) >= 0 { return true }
          let code = errno
          guard code == ENODATA || code == ENOTSUP else { throw LinuxShimError.reading(code, path) }
          return false
        }

        /// Sets or clears the mark of an item.
        ///
        /// - Parameters:
        ///   - isSet: Whether the item is to bear the mark.
        ///   - path: The item's absolute path.
        /// - Throws: `CocoaError.fileNoSuchFile` where there is no such item.
        static func set(_ isSet: Bool, atPath path: String) throws {
          let result =
            try unsafe isSet
            ? makeValue().withUnsafeBytes { value in
              guard let start = value.baseAddress else { return CInt(0) }
              return unsafe linuxShimSetAttribute(path, name, start, value.count, 0)
            } : linuxShimRemoveAttribute(path, name)
          let code = errno
          guard result == 0 || (!isSet && code == ENODATA) else {
            throw LinuxShimError.writing(code, path)
          }
        }

        /// Gives a copied item, and all that a copied folder holds, the marks of the originals.
        ///
        /// - Parameters:
        ///   - source: The original's absolute path.
        ///   - destination: The copy's absolute path.
        /// - Throws: A `CocoaError` if a mark cannot be read or set.
        static func copy(fromPath source: String, toPath destination: String) throws {
          let manager = FileManager.default
          let type = try manager.attributesOfItem(atPath: source)[.type] as? FileAttributeType
          let children =
            type == .typeDirectory ? try manager.subpathsOfDirectory(atPath: source) : []
          for suffix in [""] + children.map({ "/" + $0 }) where try isSet(atPath: source + suffix) {
            // A file manager's delegate may have left an item out, which then has no mark to get.
            let copyIsSet = try? isSet(atPath: destination + suffix)
            if copyIsSet == false { try setOnCopy(atPath: destination + suffix) }
          }
        }

        /// Marks a copy, which may already have become read-only as its original is.
        private static func setOnCopy(atPath path: String) throws {
          do {
            try set(true, atPath: path)
          } catch let error as CocoaError where error.code == .fileWriteNoPermission {
            let manager = FileManager.default
            let attributes = try manager.attributesOfItem(atPath: path)
            guard let mode = attributes[.posixPermissions] as? NSNumber else { throw error }
            let writable = mode.intValue | 0o200
            try manager.setAttributes([.posixPermissions: writable], ofItemAtPath: path)
            defer { try? manager.setAttributes([.posixPermissions: mode], ofItemAtPath: path) }
            try set(true, atPath: path)
          }
        }
      }


    """#
}
