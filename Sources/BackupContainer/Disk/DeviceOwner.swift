import CBackupFiles
import CBackupProcess
import Foundation

/// What a device's folder says of whose it is.
///
/// A process that is killed leaves its folders behind. The next one that makes a container in the
/// same place finds them by this and removes them, whatever the app has called them. It names the
/// folder that it was made for, so a copy of one is not taken for it.
struct DeviceSignature {
  fileprivate static let attribute = "swift-backup-testing.owner"

  let owner: ProcessIdentity
  fileprivate let inode: UInt64
  /// The name that it was made with, which processes have in their environment.
  fileprivate let name: String
}

extension DeviceSignature: LosslessStringConvertible {
  var description: String { "\(owner) \(inode) \(name)" }

  /// The signature of such a text; nil for every other.
  init?(_ description: String) {
    let words = description.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, let owner = ProcessIdentity(String(words[0])),
      let inode = UInt64(words[1]), DeviceFolder.isName(words[2])
    else { return nil }
    self.init(owner: owner, inode: inode, name: String(words[2]))
  }
}

extension DeviceFolder {
  /// Records in the folder which process owns it. If the volume stores no attributes, only that
  /// process removes the folder.
  func sign(as owner: ProcessIdentity) throws(SystemError) {
    guard let inode = try itself.status()?.inode else { throw SystemError(ENOENT) }
    let signature = DeviceSignature(owner: owner, inode: inode, name: url.lastPathComponent)
    do throws(SystemError) {
      try itself.setAttribute(DeviceSignature.attribute, to: Array(signature.description.utf8))
    } catch {
      guard error.number == ENOTSUP else { throw error }
    }
  }

  /// Leaves the folder to whoever finds it.
  func giveUp() throws(SystemError) {
    cpr_forget_folder(guarded)
    try itself.removeAttribute(DeviceSignature.attribute)
  }

  /// Whose the folder is; nil if it does not say so.
  var signature: DeviceSignature? {
    get throws(SystemError) {
      guard let text = try itself.attribute(DeviceSignature.attribute),
        let signature = DeviceSignature(String(decoding: text, as: UTF8.self)),
        signature.inode == (try itself.status())?.inode
      else { return nil }
      return signature
    }
  }
}

// The folders of devices whose process was killed with its guardian are removed.
extension DeviceFolder {
  package static let containerVariable = "BACKUP_TESTING_CONTAINER"
  private static let swept = Locked<Set<URL>>([])

  /// Sweeps a folder, the first time that this process makes a container in it.
  static func sweepOnce(_ parent: URL) {
    guard swept.withLock({ $0.insert(parent).inserted }) else { return }
    sweep(parent)
  }

  /// Removes the devices in a folder whose processes have ended, under whatever names. What cannot
  /// be read or removed is left to the next run, and most of what is there is nobody's device.
  static func sweep(_ parent: URL) {
    let names = (try? DiskPath(parent).names()) ?? []
    for name in names.map({ String(decoding: $0, as: UTF8.self) }) {
      let url = parent.appendingPathComponent(name, isDirectory: true)
      let device: DeviceFolder
      let found: DeviceSignature?
      do throws(SystemError) {
        device = try DeviceFolder(at: url)
        found = try device.signature
      } catch {
        continue
      }
      guard let signature = found else {
        if isName(name) { removeUnsigned(DiskPath(url)) }
        continue
      }
      guard signature.owner.hasEnded else { continue }
      do throws(SystemError) {
        try device.remove()
      } catch {
        device.warnIfKept(error)
      }
    }
  }

  /// Warns of a folder that later runs do not remove either: a process of another user, such as root, has
  /// mounted something in it, or has made it immutable.
  func warnIfKept(_ error: SystemError) {
    guard [EBUSY, EPERM, EROFS].contains(error.number) else { return }
    let text =
      "backup-testing: warning: \(url.path): an app's process has left this folder, and it cannot "
      + "be removed: \(error); unmount what is mounted in it, or remove its flag 'immutable', and then "
      + "remove it\n"
    FileHandle.note(text)
  }

  /// If a device's folder without a signature is older than this, in nanoseconds, its process was
  /// killed before it could sign, which it does at once.
  private static let signingTime: Int64 = 1_000_000_000

  /// Removes a device's folder without a signature if it is empty and not new.
  private static func removeUnsigned(_ device: DiskPath) {
    let now = Int64(Date().timeIntervalSince1970 * 1_000_000_000)
    guard let status = try? device.status(), status.modified < now - signingTime else { return }
    try? device.removeEmptyDirectory()
  }
}
