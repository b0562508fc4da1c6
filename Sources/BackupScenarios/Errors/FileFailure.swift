import BackupFileTree
import Foundation

/// What an error says of a file, by its Cocoa or POSIX code.
struct FileFailure: Codable, Hashable, Sendable {
  private let codeName: String?
  /// The absolute paths it is about: the item, and where that was to go.
  let paths: [String]
  /// Whether it came from reading.
  let isRead: Bool
  /// The error number, where it says what the machine lacks; nil for any other error.
  let machineFault: Int32?
  /// Whether a path, or a name in it, is too long for this system.
  let isPathTooLong: Bool

  /// The kind of failure, for `throws`; nil for one that is not known.
  var code: FileOperationError.Code? { codeName.map(FileOperationError.Code.init(name:)) }

  /// Understands an error; one that names no path is about those of the error around it.
  init(_ error: any Error, outerPaths: [String] = []) {
    let cocoa = error as NSError
    let isCocoa = cocoa.domain == NSCocoaErrorDomain
    let number = isCocoa ? CocoaError.Code(rawValue: cocoa.code) : nil
    let posix = cocoa.domain == NSPOSIXErrorDomain ? Int32(truncatingIfNeeded: cocoa.code) : nil
    self.isRead = number == .fileReadNoSuchFile || posix == ENOENT
    let code: FileOperationError.Code?
    if number == .fileReadNoSuchFile || number == .fileNoSuchFile || posix == ENOENT {
      code = .noSuchFile
    } else if number == .fileWriteFileExists || posix == EEXIST {
      code = .fileExists
    } else if number == .featureUnsupported {
      code = .unavailable
    } else {
      code = (error as? FileOperationError)?.code
    }
    self.codeName = code?.name
    self.machineFault = MachineFault.number(of: error)
    self.isPathTooLong = posix == ENAMETOOLONG
    let url = cocoa.userInfo[NSURLErrorKey] as? URL
    let item = cocoa.userInfo[NSFilePathErrorKey] as? String ?? url?.path
    let destination = cocoa.userInfo["NSDestinationFilePath"] as? String
    let paths = [item, destination].compactMap(\.self)
    self.paths = paths.isEmpty ? outerPaths : paths
  }
}
