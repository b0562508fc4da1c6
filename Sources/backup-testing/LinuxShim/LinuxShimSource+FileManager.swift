extension LinuxShimSource {
  /// The part of the file with what `FileManager` finds, copies and replaces.
  static let fileManager = #"""
      // MARK: - FileManager, directories

      nonisolated extension FileManager {
        /// The folder for temporary files: the current container's, or else Foundation's.
        var temporaryDirectory: URL {
          LinuxShimContainer.temporary ?? self.Foundation::temporaryDirectory
        }

        /// Finds standard directories: those of the user domain in the current container.
        ///
        /// - Parameters:
        ///   - directory: The directory wanted.
        ///   - domainMask: Where to look. Domains other than the user's are left to Foundation.
        /// - Returns: The locations, whether or not there is a directory.
        func urls(
          for directory: SearchPathDirectory, in domainMask: SearchPathDomainMask
        ) -> [URL] {
          guard domainMask.contains(.userDomainMask),
            let url = LinuxShimContainer.url(for: directory)
          else { return self.Foundation::urls(for: directory, in: domainMask) }
          let others = domainMask.subtracting(.userDomainMask)
          return [url] + (others.isEmpty ? [] : self.Foundation::urls(for: directory, in: others))
        }

        /// Finds a standard directory, and creates it if asked to.
        ///
        /// - Parameters:
        ///   - directory: The directory wanted.
        ///   - domain: Where to look. Domains other than the user's are left to Foundation.
        ///   - url: What an item replacement directory is for; of no other use here.
        ///   - shouldCreate: Whether to create the directory if it is missing.
        /// - Returns: The location; of a new directory for `.itemReplacementDirectory`.
        /// - Throws: An error of Foundation's if the directory cannot be found or created.
        func url(
          for directory: SearchPathDirectory, in domain: SearchPathDomainMask,
          appropriateFor url: URL?, create shouldCreate: Bool
        ) throws -> URL {
          var place = LinuxShimContainer.url(for: directory)
          let isReplacement = directory == .itemReplacementDirectory
          if isReplacement {
            let name = "(A Document Being Saved \(UUID().uuidString))"
            place = LinuxShimContainer.temporary?.appendingPathComponent(name, isDirectory: true)
          }
          guard domain == .userDomainMask, let place else {
            return try self.Foundation::url(
              for: directory, in: domain, appropriateFor: url, create: shouldCreate)
          }
          if shouldCreate || isReplacement {
            try createDirectory(
              at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
          }
          return place
        }
      }

      // MARK: - FileManager, copying and replacing

      nonisolated extension FileManager {
        /// Copies an item, and in a test's container its mark, which Foundation loses on Linux.
        ///
        /// - Parameters:
        ///   - srcURL: The item to copy.
        ///   - dstURL: Where the copy goes.
        /// - Throws: An error of Foundation's if the item or its mark cannot be copied.
        func copyItem(at srcURL: URL, to dstURL: URL) throws {
          try self.Foundation::copyItem(at: srcURL, to: dstURL)
          guard LinuxShimContainer.root != nil else { return }
          try LinuxShimMark.copy(fromPath: srcURL.path, toPath: dstURL.path)
        }

        /// Copies an item, and in a test's container its mark, which Foundation loses on Linux.
        ///
        /// - Parameters:
        ///   - srcPath: The item to copy.
        ///   - dstPath: Where the copy goes.
        /// - Throws: An error of Foundation's if the item or its mark cannot be copied.
        func copyItem(atPath srcPath: String, toPath dstPath: String) throws {
          try self.Foundation::copyItem(atPath: srcPath, toPath: dstPath)
          guard LinuxShimContainer.root != nil else { return }
          try LinuxShimMark.copy(fromPath: srcPath, toPath: dstPath)
        }

        /// Replaces an item, with or without a container: Foundation's own loses data on Linux.
        ///
        /// The mark of the replaced item is gone, as an app on iOS must expect.
        ///
        /// - Parameters:
        ///   - originalItemURL: The item to replace.
        ///   - newItemURL: The item that takes its place.
        ///   - backupItemName: A name beside the original, for the original meanwhile.
        ///   - options: Whether to keep that backup, and the new item's permissions.
        /// - Returns: Where the new item is now.
        /// - Throws: A `CocoaError` if an item is missing or cannot be moved. The original is then
        ///   in its place.
        func replaceItemAt(
          _ originalItemURL: URL, withItemAt newItemURL: URL, backupItemName: String? = nil,
          options: ItemReplacementOptions = []
        ) throws -> URL? {
          let old = try attributesOfItem(atPath: originalItemURL.path)
          let new = try attributesOfItem(atPath: newItemURL.path)
          let folder = originalItemURL.deletingLastPathComponent()
          let backup = backupItemName.map { folder.appendingPathComponent($0) }
          if let backup, (try? attributesOfItem(atPath: backup.path)) != nil {
            try removeItem(at: backup)
          }
          let types = [old, new].map { $0[.type] as? FileAttributeType }
          if types == [.typeRegular, .typeRegular] {
            try linuxShimRename(newItemURL, over: originalItemURL, backup: backup)
          } else {
            try linuxShimSwap(newItemURL, for: originalItemURL, backup: backup)
          }
          if !options.contains(.usingNewMetadataOnly), let mode = old[.posixPermissions] {
            try setAttributes([.posixPermissions: mode], ofItemAtPath: originalItemURL.path)
          }
          if let backup, !options.contains(.withoutDeletingBackupItem) {
            try removeItem(at: backup)
          }
          return originalItemURL
        }

        /// Replaces an item as `replaceItemAt` does, in the form that came from Objective-C.
        ///
        /// - Parameters:
        ///   - originalItemURL: The item to replace.
        ///   - newItemURL: The item that takes its place.
        ///   - backupItemName: A name beside the original, for the original meanwhile.
        ///   - options: Whether to keep that backup, and the new item's permissions.
        ///   - resultingURL: Receives where the new item is now.
        /// - Throws: A `CocoaError` if an item is missing or cannot be moved.
        func replaceItem(
          at originalItemURL: URL, withItemAt newItemURL: URL, backupItemName: String?,
          options: ItemReplacementOptions = [],
          resultingItemURL resultingURL: UnsafeMutablePointer<NSURL?>?
        ) throws {
          let result = try replaceItemAt(
            originalItemURL, withItemAt: newItemURL, backupItemName: backupItemName,
            options: options)
          unsafe resultingURL?.pointee = result.map { $0 as NSURL }
        }

        /// Renames a file over another, which is atomic, and keeps the other under a second name.
        private func linuxShimRename(_ new: URL, over original: URL, backup: URL?) throws {
          if let backup { try linkItem(at: original, to: backup) }
          guard unsafe rename(new.path, original.path) == 0 else {
            let error = LinuxShimError.writing(errno, original.path)
            if let backup { try removeItem(at: backup) }
            throw error
          }
        }

        /// Moves an item aside and another into its place, and the first back if that fails.
        private func linuxShimSwap(_ new: URL, for original: URL, backup: URL?) throws {
          let hidden = original.deletingLastPathComponent()
            .appendingPathComponent("." + UUID().uuidString)
          let aside = backup ?? hidden
          try moveItem(at: original, to: aside)
          do {
            try moveItem(at: new, to: original)
          } catch {
            try moveItem(at: aside, to: original)
            throw error
          }
          if backup == nil { try removeItem(at: aside) }
        }
      }


    """#
}
