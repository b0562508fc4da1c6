// Printed by `backup-testing linux-shim`: print it again rather than edit it.
//
// Linux Foundation ignores `isExcludedFromBackup` and knows other standard directories than
// iOS. Compiled into a module of your app, this file makes Foundation behave there as it does
// on iOS, inside the fake container of the running test. No call site changes, and nothing is
// imported but Foundation. Where no container is current, every call goes on to Foundation,
// but for `replaceItemAt`, which there loses data.
//
// * Every module whose code names files needs a copy: each copy serves its own module only.
// * So does a test target that says `@testable import` of such a module: without a copy of its
//   own, the members below are ambiguous there.
// * A task finds the container of the test that started it. `Task.detached`, a dispatch queue,
//   a thread or a callback from one of these finds none; the kit is told what it asked for.
// * Where the device of the test has iOS 5.0 or 5.0.1, a mark is refused: it has none.
// * Not redirected: calls that name the module, such as `Foundation.NSHomeDirectory()`, and
//   those that Foundation or another module makes itself.
// * A subclass of `FileManager` or `NSURL` in such a module cannot override a method that this
//   file redirects.

#if os(Linux) && compiler(>=6.3)
  import Foundation

  // MARK: - Container

  /// Says where the current test's container is, by asking the kit without linking it.
  nonisolated private enum LinuxShimContainer {
    /// Keeps the kit's class that describes the current container: a search in vain is slow.
    private struct KitClass: @unchecked Sendable {
      /// The class; nil in a program without the kit.
      let type =
        NSClassFromString("BackupTesting.CurrentContainer")
        as? any LosslessStringConvertible.Type
    }

    /// The class as found at the first look; a program's classes do not change.
    private static let kitClass = KitClass()

    /// Where iOS puts each directory of the user domain, relative to the container.
    private static let places: [FileManager.SearchPathDirectory: String] = [
      .documentDirectory: "Documents",
      .libraryDirectory: "Library",
      .allLibrariesDirectory: "Library",
      .applicationSupportDirectory: "Library/Application Support",
      .autosavedInformationDirectory: "Library/Autosave Information",
      .cachesDirectory: "Library/Caches",
      .desktopDirectory: "Desktop",
      .downloadsDirectory: "Downloads",
      .moviesDirectory: "Movies",
      .musicDirectory: "Music",
      .picturesDirectory: "Pictures",
      .sharedPublicDirectory: "Public",
    ]

    /// The root of the current container, or nil where none is current.
    ///
    /// - Parameter call: What the app's code asks for, which the kit names where the thread has
    ///   no container and should have; empty where that is no matter.
    /// - Returns: The container's directory.
    static func root(for call: @autoclosure () -> String) -> URL? {
      guard let type = kitClass.type, let path = type.init(call())?.description else { return nil }
      return URL(fileURLWithPath: path, isDirectory: true)
    }

    /// Whether a container is current where an item is marked, looked at or copied.
    ///
    /// - Parameters:
    ///   - call: What the app's code does, which the kit is told of an item in a container only.
    ///   - path: The item's absolute path.
    /// - Returns: Whether this thread has a container.
    static func isCurrent(for call: String, on path: String) -> Bool {
      root(for: path.contains("/sbt-") ? "\(call) on \(path)" : "") != nil
    }

    /// The folder for temporary files of the current container, or nil where none is current.
    ///
    /// - Parameter call: As for `root(for:)`.
    /// - Returns: Its location, whether or not it exists.
    static func temporary(for call: @autoclosure () -> String) -> URL? {
      root(for: call())?.appendingPathComponent("tmp", isDirectory: true)
    }

    /// Finds a directory of the user domain in the current container.
    ///
    /// - Parameters:
    ///   - directory: The directory wanted.
    ///   - call: As for `root(for:)`.
    /// - Returns: Its location, whether or not it exists; nil without a container, or where an
    ///   app's container has no such directory.
    static func url(
      for directory: FileManager.SearchPathDirectory, call: @autoclosure () -> String
    ) -> URL? {
      guard places[directory] != nil, let root = root(for: call()) else { return nil }
      return url(for: directory, under: root)
    }

    /// Finds a directory of the user domain below a home.
    ///
    /// - Parameters:
    ///   - directory: The directory wanted.
    ///   - root: The home.
    /// - Returns: Its location; nil where an app's container has no such directory.
    static func url(for directory: FileManager.SearchPathDirectory, under root: URL) -> URL? {
      places[directory].map { root.appendingPathComponent($0, isDirectory: true) }
    }
  }

  // MARK: - Errors

  /// Makes the errors that iOS throws out of the codes that system calls leave.
  nonisolated private enum LinuxShimError {
    /// Describes a system call that failed while it changed an item.
    ///
    /// - Parameters:
    ///   - code: The value of `errno`.
    ///   - path: The item's absolute path.
    /// - Returns: A Cocoa error with the system's error beneath it.
    static func writing(_ code: CInt, _ path: String) -> CocoaError {
      switch code {
      case ENOENT, ENOTDIR: return make(.fileNoSuchFile, code, path)
      case EACCES, EPERM: return make(.fileWriteNoPermission, code, path)
      case ENOSPC, EDQUOT: return make(.fileWriteOutOfSpace, code, path)
      case EROFS: return make(.fileWriteVolumeReadOnly, code, path)
      default: return make(.fileWriteUnknown, code, path)
      }
    }

    /// Describes a system call that failed while it read about an item.
    ///
    /// - Parameters:
    ///   - code: The value of `errno`.
    ///   - path: The item's absolute path.
    /// - Returns: A Cocoa error with the system's error beneath it.
    static func reading(_ code: CInt, _ path: String) -> CocoaError {
      switch code {
      case ENOENT, ENOTDIR: return make(.fileReadNoSuchFile, code, path)
      case EACCES, EPERM: return make(.fileReadNoPermission, code, path)
      default: return make(.fileReadUnknown, code, path)
      }
    }

    /// Says that the system of the test's device has no such mark.
    ///
    /// - Parameter path: The item's absolute path.
    /// - Returns: A Cocoa error with the system's error beneath it.
    static func unavailable(_ path: String) -> CocoaError {
      make(.featureUnsupported, ENOTSUP, path)
    }

    /// Puts a Cocoa error together.
    private static func make(
      _ cocoaCode: CocoaError.Code, _ code: CInt, _ path: String
    ) -> CocoaError {
      let underlying = NSError(domain: NSPOSIXErrorDomain, code: Int(code))
      return CocoaError(
        cocoaCode, userInfo: [NSFilePathErrorKey: path, NSUnderlyingErrorKey: underlying])
    }
  }

  // MARK: - Extended attributes

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

  /// Lists the extended attributes of an item, not of what it links to; their size, or -1.
  @_silgen_name("llistxattr")
  nonisolated private func linuxShimListAttributes(
    _ path: UnsafePointer<CChar>, _ names: UnsafeMutableRawPointer?, _ size: Int
  ) -> Int

  /// Removes an extended attribute of an item, not of what it links to; 0, or -1 with `errno`.
  @_silgen_name("lremovexattr")
  nonisolated private func linuxShimRemoveAttribute(
    _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>
  ) -> CInt

  /// The extended attributes of items, in the namespace that Linux leaves to users.
  nonisolated private enum LinuxShimAttributes {
    /// Lists what an item bears.
    ///
    /// - Parameter path: The item's absolute path.
    /// - Returns: The names; none of a missing item, or where the volume stores none.
    static func names(atPath path: String) -> [String] {
      let buffer = unsafe fill { unsafe linuxShimListAttributes(path, $0, $1) }
      return (buffer ?? []).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        .filter { $0.hasPrefix("user.") }
    }

    /// Reads an attribute.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - path: The item's absolute path.
    /// - Returns: The value; nil, with `errno`, where it cannot be read.
    static func value(of name: String, atPath path: String) -> [UInt8]? {
      unsafe fill { unsafe linuxShimGetAttribute(path, name, $0, $1) }
    }

    /// Sets an attribute.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - value: What it is to hold.
    ///   - path: The item's absolute path.
    /// - Returns: 0, or the value of `errno`.
    static func set(_ name: String, to value: [UInt8], atPath path: String) -> CInt {
      let result = unsafe value.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else {
          return unsafe linuxShimSetAttribute(path, name, "", 0, 0)
        }
        return unsafe linuxShimSetAttribute(path, name, start, bytes.count, 0)
      }
      return result == 0 ? 0 : errno
    }

    /// Removes an attribute; one that is not there is no error.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - path: The item's absolute path.
    /// - Returns: 0, or the value of `errno`.
    static func remove(_ name: String, atPath path: String) -> CInt {
      guard unsafe linuxShimRemoveAttribute(path, name) != 0 else { return 0 }
      return errno == ENODATA ? 0 : errno
    }

    /// Asks for a size, then for as many bytes; nil, with `errno`, where there is no answer.
    private static func fill(
      _ read: (UnsafeMutableRawPointer?, Int) -> Int
    ) -> [UInt8]? {
      let size = read(nil, 0)
      guard size > 0 else { return size == 0 ? [] : nil }
      var count = 0
      var buffer = [UInt8](repeating: 0, count: size)
      unsafe buffer.withUnsafeMutableBytes { count = unsafe read($0.baseAddress, size) }
      return count < 0 ? nil : Array(buffer.prefix(count))
    }
  }

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
    /// - Throws: `CocoaError.featureUnsupported` where the system of the test's device has no
    ///   such mark, `.fileNoSuchFile` where there is no such item; of both the kit is told where
    ///   a mark is set, because `try?` hides it from the test.
    static func set(_ isSet: Bool, atPath path: String) throws {
      guard isAvailable else {
        if isSet { tellKit(of: path, in: "marks-unavailable") }
        throw LinuxShimError.unavailable(path)
      }
      let code =
        try isSet
        ? LinuxShimAttributes.set(name, to: Array(makeValue()), atPath: path)
        : LinuxShimAttributes.remove(name, atPath: path)
      if isSet, code == ENOENT || code == ENOTDIR {
        tellKit(of: path, in: "marks-on-missing-items")
      }
      guard code == 0 else { throw LinuxShimError.writing(code, path) }
      if !isSet { _ = LinuxShimAttributes.remove(probeName, atPath: path) }
    }

    /// The folder beside the current container, by which the shim and the kit tell each other of
    /// marks; nil without a container.
    private static var folder: URL? {
      guard let folder = LinuxShimContainer.root(for: "")?.deletingLastPathComponent(),
        folder.lastPathComponent.hasPrefix("sbt-")
      else { return nil }
      return folder
    }

    /// Whether the system of the test's device has the mark: those before iOS 5.1 have not, and the
    /// kit puts up a sign.
    private static var isAvailable: Bool {
      guard let sign = folder?.appendingPathComponent("no-resource-value").path else { return true }
      return unsafe access(sign, F_OK) != 0
    }

    /// Adds a path to a file in which the kit looks for marks that were set in vain.
    private static func tellKit(of path: String, in fileName: String) {
      guard let name = folder?.appendingPathComponent(fileName).path else { return }
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

  // MARK: - URL, resource values

  nonisolated extension URL {
    /// Sets resource values as Foundation does, and the mark as iOS does.
    ///
    /// - Parameter values: The values to set.
    /// - Throws: `CocoaError.fileNoSuchFile` where a mark is set or cleared on a missing item,
    ///   `.featureUnsupported` where the system of the test's device, before iOS 5.1, has none.
    mutating func setResourceValues(_ values: URLResourceValues) throws {
      try self.Foundation::setResourceValues(values)
      guard isFileURL, let isExcluded = values.isExcludedFromBackup else { return }
      let call = "URL.setResourceValues(_:) with isExcludedFromBackup"
      guard LinuxShimContainer.isCurrent(for: call, on: path) else { return }
      try LinuxShimMark.set(isExcluded, atPath: path)
    }

    /// Reads resource values as Foundation does, and the mark, never cached, as iOS does.
    ///
    /// - Parameter keys: The values wanted.
    /// - Returns: The values; `isExcludedFromBackup` is false on an item without the mark.
    /// - Throws: `CocoaError.fileReadNoSuchFile` where the mark of a missing item is read.
    func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues {
      var values = try self.Foundation::resourceValues(forKeys: keys)
      guard isFileURL, keys.contains(.isExcludedFromBackupKey) else { return values }
      let call = "URL.resourceValues(forKeys:) with isExcludedFromBackup"
      guard LinuxShimContainer.isCurrent(for: call, on: path) else { return values }
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
    ///   `.featureUnsupported` where the system of the test's device, before iOS 5.1, has none.
    func setResourceValue(_ value: Any?, forKey key: URLResourceKey) throws {
      guard key == .isExcludedFromBackupKey, let path = linuxShimPath("setResourceValue(_:forKey:)")
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
    ///   `.featureUnsupported` where the system of the test's device, before iOS 5.1, has none.
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
      guard key == .isExcludedFromBackupKey, let path = linuxShimPath("getResourceValue(_:forKey:)")
      else {
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
      guard keys.contains(.isExcludedFromBackupKey),
        let path = linuxShimPath("resourceValues(forKeys:)")
      else { return values }
      values[.isExcludedFromBackupKey] = NSNumber(value: try LinuxShimMark.isSet(atPath: path))
      return values
    }

    /// The path whose mark a method means, or nil where the shim has nothing to say.
    private func linuxShimPath(_ method: String) -> String? {
      guard isFileURL, let path else { return nil }
      let call = "NSURL.\(method) with isExcludedFromBackup"
      return LinuxShimContainer.isCurrent(for: call, on: path) ? path : nil
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
          ? linuxShimReplacementFolder()
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

    /// A new name in the current container's folder for temporary files.
    private func linuxShimReplacementFolder() -> URL? {
      LinuxShimContainer.temporary(for: "FileManager.url(for: .itemReplacementDirectory, in:)")?
        .appendingPathComponent("(A Document Being Saved \(UUID().uuidString))", isDirectory: true)
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
      let call = "FileManager.copyItem(at:to:)"
      guard LinuxShimContainer.isCurrent(for: call, on: dstURL.path) else { return }
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
      let call = "FileManager.copyItem(atPath:toPath:)"
      guard LinuxShimContainer.isCurrent(for: call, on: dstPath) else { return }
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
#elseif os(Linux)
  #error("The file printed by `backup-testing linux-shim` needs the compiler of Swift 6.3.")
#endif
