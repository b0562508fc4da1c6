extension LinuxShimSource {
  /// The part of the file with resource values of `URL` and `NSURL`.
  static let resourceValues = #"""
      // MARK: - URL, resource values

      nonisolated extension URL {
        /// Sets resource values as Foundation does, and the mark as iOS does.
        ///
        /// - Parameter values: The values to set.
        /// - Throws: `CocoaError.fileNoSuchFile` where a mark is set or cleared on a missing item.
        mutating func setResourceValues(_ values: URLResourceValues) throws {
          try self.Foundation::setResourceValues(values)
          guard isFileURL, LinuxShimContainer.root != nil else { return }
          guard let isExcluded = values.isExcludedFromBackup else { return }
          try LinuxShimMark.set(isExcluded, atPath: path)
        }

        /// Reads resource values as Foundation does, and the mark, never cached, as iOS does.
        ///
        /// - Parameter keys: The values wanted.
        /// - Returns: The values; `isExcludedFromBackup` is false on an item without the mark.
        /// - Throws: `CocoaError.fileReadNoSuchFile` where the mark of a missing item is read.
        func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues {
          var values = try self.Foundation::resourceValues(forKeys: keys)
          guard isFileURL, LinuxShimContainer.root != nil else { return values }
          guard keys.contains(.isExcludedFromBackupKey) else { return values }
          values.isExcludedFromBackup = try LinuxShimMark.isSet(atPath: path)
          return values
        }
      }

      // MARK: - NSURL, resource values

      nonisolated extension NSURL {
        /// Sets one resource value as Foundation does, and the mark as iOS does.
        ///
        /// - Parameters:
        ///   - value: The value to set.
        ///   - key: What to set it for.
        /// - Throws: `CocoaError.fileNoSuchFile` where a mark is set or cleared on a missing item.
        func setResourceValue(_ value: Any?, forKey key: URLResourceKey) throws {
          guard key == .isExcludedFromBackupKey, let path = linuxShimPath else {
            return try self.Foundation::setResourceValue(value, forKey: key)
          }
          guard let isExcluded = value as? Bool ?? (value as? NSNumber)?.boolValue else { return }
          try LinuxShimMark.set(isExcluded, atPath: path)
        }

        /// Sets resource values as Foundation does, and the mark as iOS does.
        ///
        /// - Parameter keyedValues: The values to set.
        /// - Throws: `CocoaError.fileNoSuchFile` where a mark is set or cleared on a missing item.
        func setResourceValues(_ keyedValues: [URLResourceKey: Any]) throws {
          for (key, value) in keyedValues {
            try setResourceValue(value, forKey: key)
          }
        }

        /// Reads one resource value as Foundation does, and the mark, never cached, as iOS does.
        ///
        /// - Parameters:
        ///   - value: Receives the value.
        ///   - key: What to read.
        /// - Throws: `CocoaError.fileReadNoSuchFile` where the mark of a missing item is read.
        func getResourceValue(_ value: inout AnyObject?, forKey key: URLResourceKey) throws {
          guard key == .isExcludedFromBackupKey, let path = linuxShimPath else {
            return try self.Foundation::getResourceValue(&value, forKey: key)
          }
          value = NSNumber(value: try LinuxShimMark.isSet(atPath: path))
        }

        /// Reads resource values as Foundation does, and the mark, never cached, as iOS does.
        ///
        /// - Parameter keys: The values wanted.
        /// - Returns: The values by key; the mark's is false on an item without it.
        /// - Throws: `CocoaError.fileReadNoSuchFile` where the mark of a missing item is read.
        func resourceValues(forKeys keys: [URLResourceKey]) throws -> [URLResourceKey: Any] {
          var values = try self.Foundation::resourceValues(forKeys: keys)
          guard keys.contains(.isExcludedFromBackupKey), let path = linuxShimPath else {
            return values
          }
          values[.isExcludedFromBackupKey] = NSNumber(value: try LinuxShimMark.isSet(atPath: path))
          return values
        }

        /// The path whose mark is meant, or nil where the shim has nothing to say.
        private var linuxShimPath: String? {
          guard isFileURL, LinuxShimContainer.root != nil else { return nil }
          return path
        }
      }


    """#
}
