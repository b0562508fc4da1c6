// Printed by `backup-testing linux-shim`: print it again rather than edit it.
//
// Linux Foundation ignores `isExcludedFromBackup` and knows other standard directories than
// iOS. Compiled into a module of your app, this file makes Foundation behave there as it does
// on iOS, inside the fake container of the running test, and declares what is missing there. No
// call site changes, and nothing is imported but Foundation. Where no container is current, every
// call goes on to Foundation, but for `replaceItemAt`, which there loses data.
//
// * Every module whose code names files needs a copy: each copy serves its own module only.
// * So does a test target that says `@testable import` of such a module: without a copy of its
//   own, the members below are ambiguous there.
// * Where the app has a process of its own, all of it is in the app's container. In the process of
//   the test a task finds the container of the test that started it; `Task.detached`, a dispatch
//   queue, a thread or a callback from one of these finds none, and the kit is told what it asked
//   for. A mark needs none: the item's path says which container it is in.
// * Where the device of the test has iOS 5.0 or 5.0.1, a mark is refused: it has none.
// * Not redirected: calls that name the module, such as `Foundation.NSHomeDirectory()`, and
//   those that Foundation or another module makes itself.
// * A subclass of `FileManager`, `NSURL`, `Bundle` or `NSError` in such a module cannot override a
//   member that this file redirects.

#if os(Linux) && compiler(>=6.3)
  import Foundation

  // MARK: - Questions to the kit

  /// What the shim asks the kit, without linking it: a class of the kit's by its name, or in a
  /// process of the app's own a variable of its environment.
  nonisolated struct LinuxShimQuestion: @unchecked Sendable {
    /// Where the current container is.
    static let container = LinuxShimQuestion("CurrentContainer", "BACKUP_TESTING_CONTAINER")
    /// Where the container of a group is; in the variable a JSON object of paths by identifier.
    static let group = LinuxShimQuestion("CurrentGroupContainer", "BACKUP_TESTING_GROUPS")
    /// What the app is called.
    static let bundleIdentifier = LinuxShimQuestion(
      "CurrentBundleIdentifier", "BACKUP_TESTING_BUNDLE_IDENTIFIER")

    /// The class, looked for once because a search in vain is slow; nil in a program without the kit.
    private let kitClass: (any LosslessStringConvertible.Type)?
    /// The variable's value when the process began; nil where it has none.
    let variable: String?

    /// Finds the class and the variable.
    private init(_ className: String, _ variableName: String) {
      kitClass =
        NSClassFromString("BackupTesting.\(className)") as? any LosslessStringConvertible.Type
      variable = ProcessInfo.processInfo.environment[variableName].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The kit's answer for the current task; nil where it has none.
    func kitAnswer(_ argument: String) -> String? { kitClass?.init(argument)?.description }
  }

  // MARK: - Container

  /// Says where the current test's container is.
  nonisolated enum LinuxShimContainer {
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
      .trashDirectory: ".Trash",
    ]

    /// The groups that the environment names, with the paths of their containers.
    private static let groups: [String: String] = {
      let text = LinuxShimQuestion.group.variable ?? ""
      return (try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))) ?? [:]
    }()

    /// The root of the current container, or nil where none is current.
    ///
    /// - Parameter call: What the app's code asks for, which the kit names where the thread has
    ///   no container and should have; empty where that is no matter.
    /// - Returns: The container's directory: of this task, or else of this process.
    static func root(for call: @autoclosure () -> String) -> URL? {
      let question = LinuxShimQuestion.container
      guard let path = question.kitAnswer(call()) ?? question.variable else { return nil }
      return URL(fileURLWithPath: path, isDirectory: true)
    }

    /// The root of a group's container.
    ///
    /// - Parameter identifier: The group's.
    /// - Returns: The container's directory; nil where the app is not in the group.
    static func group(_ identifier: String) -> URL? {
      let path = LinuxShimQuestion.group.kitAnswer(identifier) ?? groups[identifier]
      return path.map { URL(fileURLWithPath: $0, isDirectory: true) }
    }

    /// Whether an item is a container's, or a container is current.
    ///
    /// - Parameter path: The item's absolute path.
    /// - Returns: Whether the shim answers for the item, on whatever thread.
    static func serves(_ path: String) -> Bool {
      root(for: "") != nil || device(above: path) != nil
    }

    /// The folder of a test's device above an absolute path, beside whose container the shim and
    /// the kit tell each other of marks, as of `/tmp/sbt-abcdefgh/UUID/Documents`.
    ///
    /// - Parameter path: The path of an item in a container, or of a container.
    /// - Returns: The folder's path; nil for a path that is in no container.
    static func device(above path: String) -> String? {
      guard path.contains("/sbt-") else { return nil }
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      let pair = zip(parts, parts.dropFirst()).reversed().first { parent, name in
        parent.hasPrefix("sbt-") && parent.utf8.count == "sbt-abcdefgh".utf8.count
          && UUID(uuidString: String(name)) != nil
      }
      return pair.map { String(path[..<$0.0.endIndex]) }
    }

    /// The folder for temporary files of the current container, or nil where none is current.
    ///
    /// - Parameter call: As for `root(for:)`.
    /// - Returns: Its location, whether or not it exists.
    static func temporary(for call: @autoclosure () -> String) -> URL? {
      root(for: call())?.appendingPathComponent("tmp", isDirectory: true)
    }

    /// A new name in that folder, for what is to take another item's place.
    ///
    /// - Parameter call: As for `root(for:)`.
    /// - Returns: Where nothing is yet; nil where no container is current.
    static func replacement(for call: @autoclosure () -> String) -> URL? {
      temporary(for: call())?
        .appendingPathComponent("(A Document Being Saved \(UUID().uuidString))", isDirectory: true)
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
  nonisolated enum LinuxShimError {
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
  nonisolated func linuxShimSetAttribute(
    _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>, _ value: UnsafeRawPointer?,
    _ size: Int, _ flags: CInt
  ) -> CInt

  /// Reads an extended attribute of an item, not of what it links to; its size, or -1.
  @_silgen_name("lgetxattr")
  nonisolated func linuxShimGetAttribute(
    _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>,
    _ value: UnsafeMutableRawPointer?, _ size: Int
  ) -> Int

  /// Lists the extended attributes of an item, not of what it links to; their size, or -1.
  @_silgen_name("llistxattr")
  nonisolated func linuxShimListAttributes(
    _ path: UnsafePointer<CChar>, _ names: UnsafeMutableRawPointer?, _ size: Int
  ) -> Int

  /// Removes an extended attribute of an item, not of what it links to; 0, or -1 with `errno`.
  @_silgen_name("lremovexattr")
  nonisolated func linuxShimRemoveAttribute(
    _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>
  ) -> CInt

  /// The extended attributes of items, in the namespace that Linux leaves to users.
  nonisolated enum LinuxShimAttributes {
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
  nonisolated enum LinuxShimMark {
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
      guard isAvailable(on: path) else {
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
      tellKit(of: path, in: "marks-set", after: isSet ? "" : "-")
    }

    /// The path of the item whose mark a call means.
    ///
    /// - Parameters:
    ///   - url: The item.
    ///   - call: As for `LinuxShimContainer.root(for:)`.
    ///   - code: What iOS says of a URL that is no file's.
    /// - Returns: The absolute path; nil where Foundation is to answer.
    /// - Throws: A `CocoaError` with this code, in a container.
    static func path(
      of url: URL, in call: @autoclosure () -> String, unlessFile code: CocoaError.Code
    ) throws -> String? {
      guard url.isFileURL else {
        guard LinuxShimContainer.root(for: call()) != nil else { return nil }
        throw CocoaError(code, userInfo: [NSURLErrorKey: url])
      }
      return LinuxShimContainer.serves(url.path) ? url.path : nil
    }

    /// The folder with the container that an item is in, or else with the current one.
    private static func device(of path: String) -> String? {
      LinuxShimContainer.device(above: path)
        ?? LinuxShimContainer.root(for: "").flatMap { LinuxShimContainer.device(above: $0.path) }
    }

    /// Whether the system of the test's device has the mark: those before iOS 5.1 have not, and the
    /// kit puts up a sign.
    private static func isAvailable(on path: String) -> Bool {
      guard let device = device(of: path) else { return true }
      return unsafe access("\(device)/no-resource-value", F_OK) != 0
    }

    /// Adds a path, with something before it, to a file in which the kit looks for marks that were set
    /// in vain, or lost since; through no link, which the app may have put in the place of the file or
    /// of its folder.
    static func tellKit(of path: String, in fileName: String, after sign: String = "") {
      guard let device = device(of: path) else { return }
      let folder = unsafe open(device, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard folder >= 0 else { return }
      defer { close(folder) }
      let options = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC
      let file = unsafe openat(folder, fileName, options, 0o600)
      guard file >= 0 else { return }
      defer { close(file) }
      let line = Array((sign + path).utf8) + [0]
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

  // MARK: - Replacement

  /// Puts one item in another's place, in which Foundation loses data on Linux.
  nonisolated enum LinuxShimReplacement {
    /// Replaces an item. The mark of the replaced item is gone, as an app on iOS must expect.
    ///
    /// - Parameters:
    ///   - originalItemURL: The item to replace.
    ///   - newItemURL: The item that takes its place.
    ///   - backupName: A name beside the original, for the original meanwhile.
    ///   - options: Whether to keep that backup, and the new item's permissions.
    /// - Returns: Where the new item is now.
    /// - Throws: A `CocoaError` if an item is missing or cannot be moved. The original is then in
    ///   its place.
    static func replace(
      _ originalItemURL: URL, with newItemURL: URL, backupName: String?,
      _ options: FileManager.ItemReplacementOptions
    ) throws -> URL {
      let manager = FileManager.default
      let old = try manager.attributesOfItem(atPath: originalItemURL.path)
      let new = try manager.attributesOfItem(atPath: newItemURL.path)
      let folder = originalItemURL.deletingLastPathComponent()
      let backup = backupName.map { folder.appendingPathComponent($0) }
      if let backup, (try? manager.attributesOfItem(atPath: backup.path)) != nil {
        try manager.removeItem(at: backup)
      }
      let types = [old, new].map { $0[.type] as? FileAttributeType }
      if types == [.typeRegular, .typeRegular] {
        try rename(newItemURL, over: originalItemURL, backup: backup)
      } else {
        try swap(newItemURL, for: originalItemURL, backup: backup)
      }
      if !options.contains(.usingNewMetadataOnly), let mode = old[.posixPermissions] {
        try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: originalItemURL.path)
      }
      if let backup, !options.contains(.withoutDeletingBackupItem) {
        try manager.removeItem(at: backup)
      }
      return originalItemURL
    }

    /// Renames a file over another, which is atomic, and keeps the other under a second name.
    private static func rename(_ new: URL, over original: URL, backup: URL?) throws {
      if let backup { try FileManager.default.linkItem(at: original, to: backup) }
      guard unsafe Foundation.rename(new.path, original.path) == 0 else {
        let error = LinuxShimError.writing(errno, original.path)
        if let backup { try FileManager.default.removeItem(at: backup) }
        throw error
      }
    }

    /// Moves an item aside and another into its place, and the first back if that fails.
    private static func swap(_ new: URL, for original: URL, backup: URL?) throws {
      let manager = FileManager.default
      let hidden = original.deletingLastPathComponent()
        .appendingPathComponent("." + UUID().uuidString)
      let aside = backup ?? hidden
      try manager.moveItem(at: original, to: aside)
      do {
        try manager.moveItem(at: new, to: original)
      } catch {
        try manager.moveItem(at: aside, to: original)
        throw error
      }
      if backup == nil { try FileManager.default.removeItem(at: aside) }
    }
  }
#elseif os(Linux)
  #error("The file printed by `backup-testing linux-shim` needs the compiler of Swift 6.3.")
#endif
