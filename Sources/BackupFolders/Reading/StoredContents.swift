import BackupDiagnostics
import BackupFileTree
import CBackupFiles
import Foundation

extension BackupContents {
  /// What is in the folder in the place of what a file holds.
  package enum Substitute: Hashable, Sendable {
    case nothing
    /// Something that is no regular file.
    case other
    /// A file of another size than the manifest says, in bytes.
    case size(Int64)
  }
}

extension BackupContents.Substitute: CustomStringConvertible {
  package var description: String {
    switch self {
    case .nothing: "the file is missing"
    case .other: "something other than a file is there"
    case .size(let size): "a file of \(size.formattedExactSize) is there instead"
    }
  }
}

// What the files hold: with a manifest that is a database, in folders by the first two digits of
// their names.
extension BackupFolder {
  /// The files whose contents the folder does not hold, and what is there instead. Each file is
  /// looked up in its folder, which is opened once: a list of the folder would not give sizes, and
  /// a path for each item costs several times as much.
  func substitutes(
    for files: [ManifestIntake.File]
  ) throws(BackupFolderError) -> [ContainerPath: BackupContents.Substitute] {
    var divisions = [[Int]](repeating: [], count: hasDatabase ? 256 : 1)
    for (index, file) in files.enumerated() {
      divisions[hasDatabase ? Int(file.hash.firstByte) : 0].append(index)
    }
    var substitutes: [ContainerPath: BackupContents.Substitute] = [:]
    for (number, indices) in divisions.enumerated() where !indices.isEmpty {
      let directory = try open(hasDatabase ? SHA1.hexadecimal(UInt8(number)) : "")
      defer { if let directory { close(directory) } }
      for file in indices.lazy.map({ files[$0] }) {
        guard let directory else {
          substitutes[file.path] = .nothing
          continue
        }
        substitutes[file.path] = try substitute(for: file, in: directory)
      }
    }
    return substitutes
  }

  /// Opens the folder itself, or one in it, without following links; nil if it does not exist.
  private func open(_ name: String) throws(BackupFolderError) -> Int32? {
    let directory = cfs_open_beneath(path, name)
    if directory >= 0 { return directory }
    let number = errno
    if number == ENOENT || number == ENOTDIR { return nil }
    throw BackupFolderError(name.isEmpty ? path : "\(path)/\(name)", number)
  }

  /// What is in the place of what a file holds; nil for just that.
  private func substitute(
    for file: ManifestIntake.File, in directory: Int32
  ) throws(BackupFolderError) -> BackupContents.Substitute? {
    var status = cfs_status()
    guard file.hash.withDigits({ cfs_status_in(directory, $0, &status) }) == 0 else {
      let number = errno
      if number == ENOENT { return .nothing }
      throw BackupFolderError(place(of: file.hash), number)
    }
    guard UInt32(status.kind) == CFS_FILE.rawValue else { return .other }
    return status.size == file.size ? nil : .size(status.size)
  }

  /// Where the folder holds what a file holds.
  func place(of hash: SHA1) -> String {
    let name = hash.hexadecimal
    return hasDatabase ? "\(path)/\(name.prefix(2))/\(name)" : "\(path)/\(name)"
  }
}
