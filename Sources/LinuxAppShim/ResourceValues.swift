#if os(Linux) && (arch(x86_64) || arch(arm64))
  public import Foundation

  extension URL {
    /// In the place of `setResourceValues(_:)`.
    @_silgen_name("$s20FoundationEssentials3URLV0A0E17setResourceValuesyyAD011URLResourceF0VKF")
    public mutating func linuxAppShimSetResourceValues(_ values: URLResourceValues) throws {
      let path = try values.isExcludedFromBackup.flatMap { _ in
        try LinuxShimMark.path(
          of: self, in: "URL.setResourceValues(_:) with isExcludedFromBackup",
          unlessFile: .fileWriteUnsupportedScheme)
      }
      try foundationSetResourceValues(values)
      guard let path, let isExcluded = values.isExcludedFromBackup else { return }
      try LinuxShimMark.set(isExcluded, atPath: path)
    }

    @_silgen_name("cla_foundation_set_values")
    private mutating func foundationSetResourceValues(_ values: URLResourceValues) throws

    /// In the place of `resourceValues(forKeys:)`.
    @_silgen_name(
      "$s20FoundationEssentials3URLV0A0E14resourceValues7forKeysAD011URLResourceE0VShyAD0H3KeyVG_tKF"
    )
    public func linuxAppShimResourceValues(
      forKeys keys: Set<URLResourceKey>
    ) throws -> URLResourceValues {
      var values = try foundationResourceValues(forKeys: keys)
      guard keys.contains(.isExcludedFromBackupKey),
        let path = try LinuxShimMark.path(
          of: self, in: "URL.resourceValues(forKeys:) with isExcludedFromBackup",
          unlessFile: .fileReadUnsupportedScheme)
      else { return values }
      values.isExcludedFromBackup = try LinuxShimMark.isSet(atPath: path)
      return values
    }

    @_silgen_name("cla_foundation_values")
    private func foundationResourceValues(
      forKeys keys: Set<URLResourceKey>
    ) throws -> URLResourceValues
  }

  extension NSURL {
    /// In the table of methods for `setResourceValue(_:forKey:)`.
    @_silgen_name("cla_set_value")
    public func linuxAppShimSetResourceValue(_ value: Any?, forKey key: URLResourceKey) throws {
      guard key == .isExcludedFromBackupKey,
        let path = try markedPath("setResourceValue(_:forKey:)", .fileWriteUnsupportedScheme)
      else { return try foundationSetResourceValue(value, forKey: key) }
      guard let isExcluded = value as? Bool ?? (value as? NSNumber)?.boolValue else { return }
      try LinuxShimMark.set(isExcluded, atPath: path)
    }

    @_silgen_name("cla_foundation_nsurl_set_value")
    private func foundationSetResourceValue(_ value: Any?, forKey key: URLResourceKey) throws

    /// In the table of methods for `setResourceValues(_:)`.
    @_silgen_name("cla_set_values")
    public func linuxAppShimSetResourceValues(_ keyedValues: [URLResourceKey: Any]) throws {
      for (key, value) in keyedValues { try linuxAppShimSetResourceValue(value, forKey: key) }
    }

    /// In the table of methods for `getResourceValue(_:forKey:)`.
    @_silgen_name("cla_get_value")
    public func linuxAppShimGetResourceValue(
      _ value: inout AnyObject?, forKey key: URLResourceKey
    ) throws {
      guard key == .isExcludedFromBackupKey,
        let path = try markedPath("getResourceValue(_:forKey:)", .fileReadUnsupportedScheme)
      else { return try foundationGetResourceValue(&value, forKey: key) }
      value = NSNumber(value: try LinuxShimMark.isSet(atPath: path))
    }

    @_silgen_name("cla_foundation_nsurl_get_value")
    private func foundationGetResourceValue(
      _ value: inout AnyObject?, forKey key: URLResourceKey
    ) throws

    /// In the table of methods for `resourceValues(forKeys:)`.
    @_silgen_name("cla_get_values")
    public func linuxAppShimResourceValues(
      forKeys keys: [URLResourceKey]
    ) throws -> [URLResourceKey: Any] {
      var values = try foundationResourceValues(forKeys: keys)
      guard keys.contains(.isExcludedFromBackupKey),
        let path = try markedPath("resourceValues(forKeys:)", .fileReadUnsupportedScheme)
      else { return values }
      values[.isExcludedFromBackupKey] = NSNumber(value: try LinuxShimMark.isSet(atPath: path))
      return values
    }

    @_silgen_name("cla_foundation_nsurl_get_values")
    private func foundationResourceValues(
      forKeys keys: [URLResourceKey]
    ) throws -> [URLResourceKey: Any]

    /// The path whose mark a method means, or nil where Foundation is to answer.
    private func markedPath(_ method: String, _ code: CocoaError.Code) throws -> String? {
      try LinuxShimMark.path(
        of: self as URL, in: "NSURL.\(method) with isExcludedFromBackup", unlessFile: code)
    }
  }
#endif
