package import BackupContainer
package import BackupDevice
import BackupDiagnostics
import BackupFileTree
import Foundation

/// A backup folder that the Finder or iTunes wrote. The kit never changes it.
///
/// The folder may be from an untrusted source. If the folder itself is damaged, reading it throws an
/// error. ``BackupContents`` counts the damaged items in it.
package struct BackupFolder: Sendable {
  /// The folder of the device, which contains the manifest.
  package let path: String
  /// The version of iOS that the device reported, or nil if the folder does not contain it.
  package let productVersion: String?
  /// The build of iOS, or nil if the folder does not contain it.
  package let build: String?
  /// The device's model, such as `iPhone15,2`, or nil if the folder does not contain it.
  package let model: String?
  /// The date of the backup in seconds since 2001, or nil if the folder contains no plausible date.
  package let date: Double?
  /// The bundle identifiers of the apps in the folder, sorted.
  package let apps: [String]
  /// The path of the bundle of each app and extension on the device, by the identifier.
  private let bundlePaths: [String: String]
  /// True if the folder states that the backup finished. False if the folder states nothing.
  let isFinished: Bool
  /// True if the manifest is the database `Manifest.db`; false if it is the older `Manifest.mbdb`.
  let manifestIsDatabase: Bool
  /// True if the folder states that the files are encrypted. A tool may have decrypted them since.
  package let isEncrypted: Bool
  /// The key bag with the key of the manifest, or nil if the manifest is not encrypted.
  let keyBag: KeyBag?
  /// The keys that the password has unlocked. Nil before `unlock`, and if the manifest is not
  /// encrypted.
  private(set) var keys: KeyBag.Keys?

  /// Opens the folder of a device's backup, or a folder that contains exactly one such folder.
  /// Throws an error if the backup is not finished.
  package init(at path: String) throws(BackupFolderError) {
    self.path = try Self.deviceFolder(in: path.withoutEndingSlash)
    let list = try PropertyList.read(at: "\(self.path)/Manifest.plist")
    guard case .dictionary = list else {
      throw BackupFolderError("\(self.path)/Manifest.plist", "is not a dictionary")
    }
    self.isFinished = try Self.isFinished(self.path)
    self.productVersion = list["Lockdown"]?["ProductVersion"]?.string
    self.build = list["Lockdown"]?["BuildVersion"]?.string?.escapedExcerpt
    self.model = list["Lockdown"]?["ProductType"]?.string?.escapedExcerpt
    let tomorrow = Date.timeIntervalSinceReferenceDate + 86_400
    if case .date(let date)? = list["Date"], date > -1e11, date < tomorrow {
      self.date = date
    } else {
      self.date = nil
    }
    var entries: [String: PropertyList] = [:]
    if case .dictionary(let values)? = list["Applications"] { entries = values }
    self.bundlePaths = entries.compactMapValues { $0["Path"]?.string }
    // Groups and extensions have entries too, with another class than an app.
    self.apps = entries.filter { _, entry in
      entry["ContainerContentClass"]?.string.map { $0 == BackupDomain.appContentClass } ?? true
    }.keys.sorted()
    self.manifestIsDatabase = try Self.hasItem("Manifest.db", in: self.path)
    self.isEncrypted = list["IsEncrypted"]?.isTrue == true || list["ManifestKey"] != nil
    if isEncrypted, manifestIsDatabase,
      try Self.firstBytes(of: "Manifest.db", in: self.path) != Self.databaseHeader
    {
      self.keyBag = try KeyBag(list, at: "\(self.path)/Manifest.plist")
    } else {
      self.keyBag = nil
    }
    if manifestIsDatabase { return }
    guard try Self.hasItem("Manifest.mbdb", in: self.path) else {
      throw BackupFolderError(
        self.path,
        "Manifest.db or Manifest.mbdb is missing, so the backup's items are unknown; name the "
          + "folder of a complete backup")
    }
  }

  /// True if the manifest is encrypted and no password has unlocked it.
  package var isLocked: Bool { keyBag != nil && keys == nil }

  /// Derives the keys of an encrypted manifest from the password.
  package mutating func unlock(password: String) throws(BackupFolderError) {
    keys = try keyBag?.keys(password: password)
  }

  /// Returns the identifiers of the extensions whose bundles are in an app's bundle.
  func extensions(of app: String) -> Set<String> {
    guard let bundle = bundlePaths[app] else { return [] }
    return Set(bundlePaths.filter { $0.value.hasPrefix("\(bundle)/") }.keys)
  }

  /// The profile of the device's version of iOS, or of the newest earlier version that the kit
  /// knows. Nil if the kit knows no such version, or if the folder has no valid version.
  package var profile: SystemProfile? {
    productVersion.flatMap(SystemVersion.init).flatMap(SystemProfile.newest)
  }

  /// A title for the backup, such as `iPhone15,2, iOS 26.1 (23B85), encrypted, 2026-01-31`.
  package var title: String {
    let version = "iOS \(productVersion ?? "unknown")\(build.map { " (\($0))" } ?? "")"
    let day = date.map {
      String(Date(timeIntervalSinceReferenceDate: $0).ISO8601Format().prefix(10))
    }
    return [model, version, isEncrypted ? "encrypted" : "unencrypted", day].compactMap(\.self)
      .joined(separator: ", ").onOneLine.asMessage
  }

  /// Returns remarks on the reliability of a comparison with the folder, one sentence each.
  package func remarks(usingRulesOf profile: SystemProfile) -> [String] {
    var remarks: [String] = []
    if !isFinished {
      remarks.append(
        "Items may be missing, because the folder does not say whether the backup finished.")
    }
    let newest = SystemProfile.newest?.version
    let major = productVersion.flatMap { SystemVersion(String($0.prefix { $0 != "." })) }
    if let productVersion, let major, profile.version == newest, profile.version < major {
      remarks.append(
        "The device had iOS \(productVersion.escapedExcerpt), which this version of the kit does not know. "
          + "The rules of iOS \(profile.version) were used.")
    }
    return remarks
  }

  /// Returns the folder at `path` if it contains `Manifest.plist`. Otherwise, returns the only
  /// folder in it that contains `Manifest.plist`.
  private static func deviceFolder(in path: String) throws(BackupFolderError) -> String {
    if try hasItem(manifest, in: path) { return path }
    if let kind = FileKind(at: path, followingLinks: true), kind != .folder {
      throw BackupFolderError(path, "this is not a folder; name the folder of a backup")
    }
    var devices: [String] = []
    for folder in try itemNames(in: path).map({ "\(path)/\($0)" }) {
      if try hasItem(manifest, in: folder) { devices.append(folder) }
    }
    if devices.count == 1 { return devices[0] }
    throw BackupFolderError(
      path,
      devices.isEmpty
        ? "this is not a backup folder: neither it nor a folder in it contains Manifest.plist; name "
          + "the folder of a backup"
        : "the folder contains \(devices.count) backups; name the folder of one device")
  }

  private static let manifest = "Manifest.plist"

  /// Finds the newest backup that the Finder made for the user of a home folder. Also returns a
  /// remark if some backups cannot be used.
  package static func newest(
    inHome home: String
  ) throws(BackupFolderError) -> (folder: BackupFolder, remarks: [String]) {
    let path = "\(home)/Library/Application Support/MobileSync/Backup"
    guard FileKind(at: path, followingLinks: true) != nil || errno != ENOENT else {
      throw BackupFolderError(
        path, "the Finder has made no backup on this machine; name the folder of a backup")
    }
    var (folders, errors): ([BackupFolder], [BackupFolderError]) = ([], [])
    for device in try itemNames(in: path).map({ "\(path)/\($0)" }) {
      do throws(BackupFolderError) {
        if try hasItem(manifest, in: device) { folders.append(try BackupFolder(at: device)) }
      } catch {
        errors.append(error)
      }
    }
    guard let newest = folders.max(by: { $0.date ?? -.infinity < $1.date ?? -.infinity }) else {
      throw errors.first
        ?? BackupFolderError(path, "the folder contains no backup; back up a device in the Finder")
    }
    let skippedBackups = errors.count.counted("backup")
    return (newest, errors.prefix(1).map { "\(skippedBackups) skipped, such as \($0)".onOneLine })
  }

  private static func itemNames(in path: String) throws(BackupFolderError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    } catch {
      throw BackupFolderError(path, "cannot be read: \(error.reason)\(accessAdvice(path))")
    }
  }

  /// Returns advice on a folder that macOS may protect, or an empty text.
  private static func accessAdvice(_ path: String) -> String {
    guard path.contains("MobileSync") else { return "" }
    return "; turn on your terminal in System Settings > Privacy & Security > Full Disk Access, "
      + "and open it again"
  }

  /// Returns whether a folder directly contains an item with a name. A link counts, even if it
  /// leads nowhere. Throws an error if the item cannot be examined.
  static func hasItem(_ name: String, in folder: String) throws(BackupFolderError) -> Bool {
    if FileKind(at: "\(folder)/\(name)", followingLinks: false) != nil { return true }
    let number = errno
    if number == ENOENT || number == ENOTDIR { return false }
    throw BackupFolderError(
      "\(folder)/\(name)",
      "cannot be examined: \(MachineFault.words(for: number))\(accessAdvice(folder))")
  }

  static let databaseHeader = Array("SQLite format 3\0".utf8)

  private static func firstBytes(
    of name: String, in folder: String
  ) throws(BackupFolderError) -> [UInt8] {
    do throws(RegularFile.AccessError) {
      return try RegularFile.bytes(
        at: "\(folder)/\(name)", upTo: databaseHeader.count, followingLinks: false)
    } catch {
      throw BackupFolderError(error)
    }
  }

  /// Returns the contents of a file, which may be from an untrusted source. Throws an error if the
  /// file is larger than `limit` bytes.
  static func bytes(at path: String, atMost limit: Int) throws(BackupFolderError) -> [UInt8] {
    let bytes: [UInt8]
    do throws(RegularFile.AccessError) {
      bytes = try RegularFile.bytes(at: path, upTo: limit + 1, followingLinks: false)
    } catch {
      throw BackupFolderError(error)
    }
    guard bytes.count <= limit else {
      throw BackupFolderError(
        path, "is larger than \(limit.formattedSize), the most that the kit reads")
    }
    return bytes
  }

  /// Returns whether the folder states that the backup is finished. Throws an error if the folder
  /// states another state.
  private static func isFinished(_ path: String) throws(BackupFolderError) -> Bool {
    let file = "\(path)/Status.plist"
    guard try hasItem("Status.plist", in: path),
      let state = try PropertyList.read(at: file)["SnapshotState"]?.string
    else { return false }
    guard state == "finished" else {
      throw BackupFolderError(
        file,
        "the backup is '\(state.escapedExcerpt)', not 'finished'; take it again and let it finish")
    }
    return true
  }
}

package struct BackupFolderError: Error, Hashable, Sendable, CustomStringConvertible {
  package let path: String
  package let reason: String

  package init(_ path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }

  package init(_ error: RegularFile.AccessError) {
    self.init(error.path, error.reason)
  }

  init(_ path: String, _ number: Int32) {
    self.init(path, "cannot be examined: \(MachineFault.words(for: number))")
  }

  package var description: String { "\(path): \(reason)".asMessage }
}
