#if os(Linux) && compiler(>=6.3)
  import Foundation

  // MARK: - URL, resource values

  nonisolated extension URL {
    /// Sets resource values as Foundation does, and the mark as iOS does.
    ///
    /// - Parameter values: The values to set.
    /// - Throws: `CocoaError.fileNoSuchFile` where a mark is set or cleared on a missing item,
    ///   `.featureUnsupported` where the system of the test's device, before iOS 5.1, has none,
    ///   `.fileWriteUnsupportedScheme` where the URL is no file's.
    mutating func setResourceValues(_ values: URLResourceValues) throws {
      let path = try values.isExcludedFromBackup.flatMap { _ in
        try LinuxShimMark.path(
          of: self, in: "URL.setResourceValues(_:) with isExcludedFromBackup",
          unlessFile: .fileWriteUnsupportedScheme)
      }
      try self.Foundation::setResourceValues(values)
      guard let path, let isExcluded = values.isExcludedFromBackup else { return }
      try LinuxShimMark.set(isExcluded, atPath: path)
    }

    /// Reads resource values as Foundation does, and the mark, never cached, as iOS does.
    ///
    /// - Parameter keys: The values wanted.
    /// - Returns: The values; `isExcludedFromBackup` is false on an item without the mark.
    /// - Throws: `CocoaError.fileReadNoSuchFile` where the mark of a missing item is read,
    ///   `.fileReadUnsupportedScheme` where the URL is no file's.
    func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues {
      var values = try self.Foundation::resourceValues(forKeys: keys)
      guard keys.contains(.isExcludedFromBackupKey),
        let path = try LinuxShimMark.path(
          of: self, in: "URL.resourceValues(forKeys:) with isExcludedFromBackup",
          unlessFile: .fileReadUnsupportedScheme)
      else { return values }
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
    /// - Throws: `CocoaError.fileNoSuchFile` where a mark is set or cleared on a missing item,
    ///   `.featureUnsupported` where the system of the test's device, before iOS 5.1, has none,
    ///   `.fileWriteUnsupportedScheme` where the URL is no file's.
    func setResourceValue(_ value: Any?, forKey key: URLResourceKey) throws {
      guard key == .isExcludedFromBackupKey,
        let path = try linuxShimPath("setResourceValue(_:forKey:)", .fileWriteUnsupportedScheme)
      else {
        return try self.Foundation::setResourceValue(value, forKey: key)
      }
      guard let isExcluded = value as? Bool ?? (value as? NSNumber)?.boolValue else { return }
      try LinuxShimMark.set(isExcluded, atPath: path)
    }

    /// Sets resource values as Foundation does, and the mark as iOS does.
    ///
    /// - Parameter keyedValues: The values to set.
    /// - Throws: `CocoaError.fileNoSuchFile` where a mark is set or cleared on a missing item,
    ///   `.featureUnsupported` where the system of the test's device, before iOS 5.1, has none,
    ///   `.fileWriteUnsupportedScheme` where the URL is no file's.
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
    /// - Throws: `CocoaError.fileReadNoSuchFile` where the mark of a missing item is read,
    ///   `.fileReadUnsupportedScheme` where the URL is no file's.
    func getResourceValue(_ value: inout AnyObject?, forKey key: URLResourceKey) throws {
      guard key == .isExcludedFromBackupKey,
        let path = try linuxShimPath("getResourceValue(_:forKey:)", .fileReadUnsupportedScheme)
      else {
        return try self.Foundation::getResourceValue(&value, forKey: key)
      }
      value = NSNumber(value: try LinuxShimMark.isSet(atPath: path))
    }

    /// Reads resource values as Foundation does, and the mark, never cached, as iOS does.
    ///
    /// - Parameter keys: The values wanted.
    /// - Returns: The values by key; the mark's is false on an item without it.
    /// - Throws: `CocoaError.fileReadNoSuchFile` where the mark of a missing item is read,
    ///   `.fileReadUnsupportedScheme` where the URL is no file's.
    func resourceValues(forKeys keys: [URLResourceKey]) throws -> [URLResourceKey: Any] {
      var values = try self.Foundation::resourceValues(forKeys: keys)
      guard keys.contains(.isExcludedFromBackupKey),
        let path = try linuxShimPath("resourceValues(forKeys:)", .fileReadUnsupportedScheme)
      else { return values }
      values[.isExcludedFromBackupKey] = NSNumber(value: try LinuxShimMark.isSet(atPath: path))
      return values
    }

    /// The path whose mark a method means, or nil where the shim has nothing to say.
    private func linuxShimPath(_ method: String, _ code: CocoaError.Code) throws -> String? {
      try LinuxShimMark.path(
        of: self as URL, in: "NSURL.\(method) with isExcludedFromBackup", unlessFile: code)
    }
  }

  // MARK: - NSURL, files

  nonisolated extension NSURL {
    /// A file's URL; that of a directory where one is there.
    ///
    /// - Parameter path: The file's path.
    /// - Returns: The URL, as by `URL(fileURLWithPath:)`.
    class func fileURL(withPath path: String) -> URL { URL(fileURLWithPath: path) }

    /// A file's URL.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - isDirectory: Whether it is a directory.
    /// - Returns: The URL, as by `URL(fileURLWithPath:isDirectory:)`.
    class func fileURL(withPath path: String, isDirectory: Bool) -> URL {
      URL(fileURLWithPath: path, isDirectory: isDirectory)
    }
  }

  // MARK: - FileManager, directories

  nonisolated extension FileManager {
    /// The folder for temporary files: the current container's, or else Foundation's.
    var temporaryDirectory: URL {
      LinuxShimContainer.temporary(for: "FileManager.temporaryDirectory")
        ?? self.Foundation::temporaryDirectory
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
        let url = LinuxShimContainer.url(
          for: directory, call: "FileManager.urls(for: .\(directory), in:)")
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
      let isReplacement = directory == .itemReplacementDirectory
      guard domain == .userDomainMask,
        let place = isReplacement
          ? LinuxShimContainer.replacement(
            for: "FileManager.url(for: .itemReplacementDirectory, in:)")
          : LinuxShimContainer.url(for: directory, call: "FileManager.url(for: .\(directory), in:)")
      else {
        return try self.Foundation::url(
          for: directory, in: domain, appropriateFor: url, create: shouldCreate)
      }
      if shouldCreate || isReplacement {
        try createDirectory(
          at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      }
      return place
    }

    /// The container that the app shares with others of its group.
    ///
    /// - Parameter groupIdentifier: The group's.
    /// - Returns: The container's root; nil where the app is not in the group.
    func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
      LinuxShimContainer.group(groupIdentifier)
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
      guard LinuxShimContainer.serves(dstURL.path) else { return }
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
      guard LinuxShimContainer.serves(dstPath) else { return }
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
      try LinuxShimReplacement.replace(
        originalItemURL, with: newItemURL, backupName: backupItemName, options)
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
  }

  // MARK: - URL, directories

  nonisolated extension URL {
    /// The root of the current container, or else Foundation's home directory.
    static var homeDirectory: URL {
      LinuxShimContainer.root(for: "URL.homeDirectory") ?? URL.Foundation::homeDirectory
    }

    /// The folder for temporary files: the current container's, or else Foundation's.
    static var temporaryDirectory: URL {
      LinuxShimContainer.temporary(for: "URL.temporaryDirectory")
        ?? FileManager.default.Foundation::temporaryDirectory
    }

    /// The folder of the user's documents, which Foundation on Linux does not name.
    static var documentsDirectory: URL { linuxShimURL(for: .documentDirectory, "documents") }

    /// The folder of all files that are not the user's documents.
    static var libraryDirectory: URL { linuxShimURL(for: .libraryDirectory, "library") }

    /// The folder of files that the app can make again.
    static var cachesDirectory: URL { linuxShimURL(for: .cachesDirectory, "caches") }

    /// The folder of files that the app needs, which iOS does not create.
    static var applicationSupportDirectory: URL {
      linuxShimURL(for: .applicationSupportDirectory, "applicationSupport")
    }

    /// The folder `Desktop`, which iOS names and does not create; the same of those that follow.
    static var desktopDirectory: URL { linuxShimURL(for: .desktopDirectory, "desktop") }

    /// The folder `Downloads`.
    static var downloadsDirectory: URL { linuxShimURL(for: .downloadsDirectory, "downloads") }

    /// The folder `Movies`.
    static var moviesDirectory: URL { linuxShimURL(for: .moviesDirectory, "movies") }

    /// The folder `Music`.
    static var musicDirectory: URL { linuxShimURL(for: .musicDirectory, "music") }

    /// The folder `Pictures`.
    static var picturesDirectory: URL { linuxShimURL(for: .picturesDirectory, "pictures") }

    /// The folder `Public`.
    static var sharedPublicDirectory: URL {
      linuxShimURL(for: .sharedPublicDirectory, "sharedPublic")
    }

    /// The folder `.Trash`; what iOS answers is not known.
    static var trashDirectory: URL { linuxShimURL(for: .trashDirectory, "trash") }

    /// The folder of all users' homes, which is no container's.
    static var userDirectory: URL { URL(fileURLWithPath: "/Users", isDirectory: true) }

    /// Finds a standard directory, and creates it if asked to.
    ///
    /// - Parameters:
    ///   - directory: The directory wanted.
    ///   - domain: Where to look. Domains other than the user's are left to Foundation.
    ///   - url: What an item replacement directory is for; of no other use here.
    ///   - shouldCreate: Whether to create the directory if it is missing.
    /// - Throws: An error of Foundation's if the directory cannot be found or created.
    init(
      for directory: FileManager.SearchPathDirectory,
      in domain: FileManager.SearchPathDomainMask,
      appropriateFor url: URL? = nil,
      create shouldCreate: Bool = false
    ) throws {
      self = try FileManager.default.url(
        for: directory, in: domain, appropriateFor: url, create: shouldCreate)
    }

    /// A directory of the user domain; in the home directory, as on iOS, if Linux has none.
    private static func linuxShimURL(
      for directory: FileManager.SearchPathDirectory, _ name: String
    ) -> URL {
      let home = URL.Foundation::homeDirectory
      return LinuxShimContainer.url(for: directory, call: "URL.\(name)Directory")
        ?? FileManager.default.Foundation::urls(for: directory, in: .userDomainMask).first
        ?? LinuxShimContainer.url(for: directory, under: home) ?? home
    }
  }

  // MARK: - Functions

  /// The path of the current container, without a slash at its end, or else Foundation's home.
  nonisolated func NSHomeDirectory() -> String {
    LinuxShimContainer.root(for: "NSHomeDirectory()")?.path ?? Foundation.NSHomeDirectory()
  }

  /// The path for temporary files, with a slash at its end: the current container's, or
  /// Foundation's.
  nonisolated func NSTemporaryDirectory() -> String {
    LinuxShimContainer.temporary(for: "NSTemporaryDirectory()").map { $0.path + "/" }
      ?? Foundation.NSTemporaryDirectory()
  }

  /// Finds standard directories: those of the user domain in the current container.
  ///
  /// - Parameters:
  ///   - directory: The directory wanted.
  ///   - domainMask: Where to look. Domains other than the user's are left to Foundation.
  ///   - expandTilde: Whether paths are absolute. Those in a test's container always are.
  /// - Returns: The paths, whether or not there is a directory.
  nonisolated func NSSearchPathForDirectoriesInDomains(
    _ directory: FileManager.SearchPathDirectory,
    _ domainMask: FileManager.SearchPathDomainMask,
    _ expandTilde: Bool
  ) -> [String] {
    guard domainMask.contains(.userDomainMask),
      let url = LinuxShimContainer.url(
        for: directory, call: "NSSearchPathForDirectoriesInDomains(.\(directory), …)")
    else {
      return Foundation.NSSearchPathForDirectoriesInDomains(directory, domainMask, expandTilde)
    }
    let others = domainMask.subtracting(.userDomainMask)
    return [url.path]
      + Foundation.NSSearchPathForDirectoriesInDomains(directory, others, expandTilde)
  }

  // MARK: - Defaults

  nonisolated extension UserDefaults {
    /// Keeps a URL, or none; of none Foundation's own never returns on Linux.
    ///
    /// In a process of the app's own a file's in the container begins with `~`, which
    /// `url(forKey:)` expands to the home of then, as on iOS; Foundation on Linux keeps it whole.
    ///
    /// - Parameters:
    ///   - url: The URL to keep, or nil to keep none.
    ///   - defaultName: Its key.
    func set(_ url: URL?, forKey defaultName: String) {
      guard let url else { return removeObject(forKey: defaultName) }
      let home = Foundation.NSHomeDirectory()
      guard url.isFileURL, home == LinuxShimContainer.root(for: "")?.path,
        url.path == home || url.path.hasPrefix(home + "/")
      else { return self.Foundation::set(url, forKey: defaultName) }
      set("~" + url.path.dropFirst(home.count), forKey: defaultName)
    }

    /// Keeps a value, as `set(_:forKey:)` does; declared by `NSObject` where there is Objective-C.
    ///
    /// - Parameters:
    ///   - value: The value to keep, or nil to keep none.
    ///   - key: Its key.
    func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }

    /// The value of a key, as `object(forKey:)` has it; declared by `NSObject` likewise.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value; nil where there is none.
    func value(forKey key: String) -> Any? { object(forKey: key) }
  }

  // MARK: - Bundle and errors

  nonisolated extension Bundle {
    /// The app's identifier for the main bundle, which on Linux is the test's; or else Foundation's.
    var bundleIdentifier: String? {
      let question = LinuxShimQuestion.bundleIdentifier
      let identifier = self === Bundle.main ? question.kitAnswer("") ?? question.variable : nil
      return identifier ?? self.Foundation::bundleIdentifier
    }
  }

  nonisolated extension NSError {
    /// What Foundation says of the error, with an error beneath it as an `NSError`, as Darwin's is.
    var userInfo: [String: Any] {
      var info = self.Foundation::userInfo
      if let underlying = info[NSUnderlyingErrorKey] as? any Error {
        info[NSUnderlyingErrorKey] = underlying as NSError
      }
      return info
    }
  }
#endif
