import CBackupFiles
import CBackupProcess
import Foundation

/// The value of an extended attribute on a device's folder. It names the process that owns the
/// folder.
///
/// A killed process leaves its folders behind. The next process that creates a container in the
/// same place finds these folders by their signatures, and removes them. The app may have renamed
/// the folders. A signature has the inode number of its folder, so the kit does not take a copy for
/// the folder itself.
struct DeviceSignature {
  fileprivate static let attributeName = "swift-backup-testing.owner"

  let owner: ProcessIdentity
  fileprivate let inode: UInt64
  /// The folder's original name. The app's processes have it in their environment.
  fileprivate let originalName: String
}

extension DeviceSignature: LosslessStringConvertible {
  var description: String { "\(owner) \(inode) \(originalName)" }

  /// Reads a signature from its description; nil for any other text.
  init?(_ description: String) {
    let words = description.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, let owner = ProcessIdentity(String(words[0])),
      let inode = UInt64(words[1]), DeviceFolder.isDeviceName(words[2])
    else { return nil }
    self.init(owner: owner, inode: inode, originalName: String(words[2]))
  }
}

extension DeviceFolder {
  /// Records in the folder which process owns it. If the volume stores no attributes, only the
  /// owner removes the folder.
  func sign(as owner: ProcessIdentity) throws(SystemError) {
    guard let inode = try ownPath.status()?.inode else { throw SystemError(ENOENT) }
    let signature = DeviceSignature(owner: owner, inode: inode, originalName: url.lastPathComponent)
    do throws(SystemError) {
      try ownPath.setAttribute(DeviceSignature.attributeName, to: Array(signature.description.utf8))
    } catch {
      guard error.number == ENOTSUP else { throw error }
    }
  }

  /// Removes the signature, so that no later process removes the folder.
  func disown() throws(SystemError) {
    cpr_forget_folder(guardianNumber)
    try ownPath.removeAttribute(DeviceSignature.attributeName)
  }

  /// The folder's signature; nil if the folder has none, or has the signature of another folder.
  var signature: DeviceSignature? {
    get throws(SystemError) {
      guard let text = try ownPath.attribute(DeviceSignature.attributeName),
        let signature = DeviceSignature(String(decoding: text, as: UTF8.self)),
        signature.inode == (try ownPath.status())?.inode
      else { return nil }
      return signature
    }
  }
}

// The removal of folders whose owner was killed together with its guardian.
extension DeviceFolder {
  /// The environment variable with the path of the app's container, in a process of the app.
  package static let containerVariable = "BACKUP_TESTING_CONTAINER"
  private static let sweptParents = Locked<Set<URL>>([])

  /// Calls ``sweep(_:)`` when this process creates its first container in a folder.
  static func sweepOnce(_ parent: URL) {
    guard sweptParents.withLock({ $0.insert(parent).inserted }) else { return }
    sweep(parent)
  }

  /// Removes each device's folder in `parent` if its owner has ended, even if the folder was
  /// renamed. If an item cannot be read or removed, the next run tries again.
  static func sweep(_ parent: URL) {
    let names = (try? DiskPath(parent).names()) ?? []
    for name in names.map({ String(decoding: $0, as: UTF8.self) }) {
      let url = parent.appendingPathComponent(name, isDirectory: true)
      let device: DeviceFolder
      let signatureIfAny: DeviceSignature?
      do throws(SystemError) {
        device = try DeviceFolder(at: url)
        signatureIfAny = try device.signature
      } catch {
        continue
      }
      guard let signature = signatureIfAny else {
        if isDeviceName(name) { removeUnsigned(DiskPath(url)) }
        continue
      }
      guard signature.owner.hasEnded else { continue }
      do throws(SystemError) {
        try device.remove()
      } catch {
        device.warnIfUnremovable(error)
      }
    }
  }

  /// Warns of a folder that later runs cannot remove either. For example, a process of another
  /// user, such as root, has mounted something in it or has made it immutable.
  func warnIfUnremovable(_ error: SystemError) {
    guard [EBUSY, EPERM, EROFS].contains(error.number) else { return }
    let warning =
      "backup-testing: warning: \(url.path): an app's process left this folder behind, and it "
      + "cannot be removed: \(error); unmount volumes in it, or clear its flag 'immutable', and then "
      + "remove it\n"
    FileHandle.note(warning)
  }

  /// An unsigned folder that is older than this number of nanoseconds is abandoned. A process signs
  /// a new folder at once, unless it is killed.
  private static let signingTime: Int64 = 1_000_000_000

  /// Removes a device's folder without a signature if it is empty and not new.
  private static func removeUnsigned(_ device: DiskPath) {
    let now = Int64(Date().timeIntervalSince1970 * 1_000_000_000)
    guard let status = try? device.status(), status.modified < now - signingTime else { return }
    try? device.removeEmptyDirectory()
  }
}
