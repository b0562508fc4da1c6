import BackupDiagnostics
import CBackupFiles
import CBackupProcess
import Foundation

extension DiskPath {
  /// The attribute of a device's folder that says whose it is.
  ///
  /// A process that is killed leaves its folders behind. The next one that makes a container in the
  /// same place finds them by this and removes them.
  private static let ownerAttribute = "swift-backup-testing.owner"

  /// Says in a folder that it is a process's; where the volume stores no attributes, nobody removes
  /// it but the process.
  func sign(as owner: ProcessIdentity) throws(SystemError) {
    do throws(SystemError) {
      try setAttribute(Self.ownerAttribute, to: Array(owner.description.utf8))
    } catch {
      guard error.number == ENOTSUP else { throw error }
    }
  }

  /// Leaves a folder to whoever finds it; this takes no descriptor.
  func giveUpOwner() throws(SystemError) {
    try removeAttributeByPath(Self.ownerAttribute)
  }

  /// Whose a folder is; nil where it does not say so.
  var owner: ProcessIdentity? {
    guard let text = try? attribute(Self.ownerAttribute) else { return nil }
    return ProcessIdentity(String(decoding: text, as: UTF8.self))
  }
}

// The folders of devices whose process was killed are removed, with what still runs in them.
extension DeviceFolder {
  /// The variable by which a process in a container knows it.
  package static let containerVariable = "BACKUP_TESTING_CONTAINER"
  /// The folders that were swept by this process.
  private static let swept = Locked<Set<URL>>([])

  /// Sweeps a folder, the first time that this process makes a container in it.
  static func sweepOnce(_ parent: URL) {
    guard swept.withLock({ $0.insert(parent).inserted }) else { return }
    sweep(parent)
  }

  /// Removes the devices in a folder whose processes have ended. What cannot be removed is left to
  /// the next run.
  static func sweep(_ parent: URL) {
    let names = (try? DiskPath(parent).names()) ?? []
    for name in names {
      let name = String(decoding: name, as: UTF8.self)
      guard isName(name) else { continue }
      let device = DiskPath(parent.appendingPathComponent(name, isDirectory: true))
      guard let owner = device.owner else {
        removeUnsigned(device)
        continue
      }
      guard owner.hasEnded else { continue }
      guard killProcesses(in: device.string, since: owner.begin) == nil else { continue }
      try? device.removeItem()
    }
  }

  /// Kills what runs in a container or in a device's folder: what has it in its environment; and of
  /// what cleared that, what writes to the same pipe or has a place in the folder, as its working
  /// directory, its root or its program.
  ///
  /// - Parameters:
  ///   - folder: The path of the container or device.
  ///   - begin: When the first that can belong to it began, as the system counts it; nil where that
  ///     is not known, and then only the environment counts. That is not looked at of what is older
  ///     than this process too.
  ///   - pipe: A descriptor of the pipe that a tool's output goes to; -1 for none.
  /// - Returns: Why not all processes could be looked at, as an error number; nil where they were,
  ///   and where the system does not show them.
  package static func killProcesses(
    in folder: String, since begin: UInt64?, writingTo pipe: Int32 = -1
  ) -> Int32? {
    var trace = cpr_trace()
    trace.begin = begin ?? .max
    trace.pipe = pipe
    let error = containerVariable.withCString { name in
      folder.withCString { folder in
        trace.variable = name
        trace.folder = folder
        return cpr_kill_by_trace(&trace)
      }
    }
    return error == 0 || error == ENOTSUP ? nil : error
  }

  /// How old a device's folder without a signature has to be, in nanoseconds, for its process to
  /// have been killed before it could sign, which it does at once.
  private static let signingTime: Int64 = 1_000_000_000

  /// Removes a device's folder that nobody has signed, where it is empty and not new.
  private static func removeUnsigned(_ device: DiskPath) {
    let now = Int64(Date().timeIntervalSince1970 * 1_000_000_000)
    guard let status = try? device.status(), status.modified < now - signingTime else { return }
    try? device.inDirectory { directory, name in _ = unlinkat(directory, name, AT_REMOVEDIR) }
  }
}
