import BackupFileTree
import Foundation

/// What an error says of a file, by its Cocoa or POSIX code.
struct FileFailure: Hashable, Sendable {
  /// The kind of failure, for `throws`; nil for one that is not known.
  let code: FileOperationError.Code?
  /// The absolute paths it is about: the item, and where that was to go.
  let paths: [String]
  /// Whether it came from reading.
  let isRead: Bool
  /// The error number, where it says what the machine lacks; nil for any other error.
  let machineFault: Int32?
  /// Whether a path, or a name in it, is too long for this system.
  let isPathTooLong: Bool

  /// Understands an error.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - outerPaths: What an error around it is about, for one that names no path.
  init(_ error: any Error, outerPaths: [String] = []) {
    let cocoa = error as NSError
    let isCocoa = cocoa.domain == NSCocoaErrorDomain
    let number = isCocoa ? CocoaError.Code(rawValue: cocoa.code) : nil
    let posix = cocoa.domain == NSPOSIXErrorDomain ? Int32(truncatingIfNeeded: cocoa.code) : nil
    self.isRead = number == .fileReadNoSuchFile || posix == ENOENT
    if number == .fileReadNoSuchFile || number == .fileNoSuchFile || posix == ENOENT {
      self.code = .noSuchFile
    } else if number == .fileWriteFileExists || posix == EEXIST {
      self.code = .fileExists
    } else if number == .featureUnsupported {
      self.code = .unavailable
    } else {
      self.code = (error as? FileOperationError)?.code
    }
    self.machineFault = MachineFault.number(of: error)
    self.isPathTooLong = posix == ENAMETOOLONG
    let url = cocoa.userInfo[NSURLErrorKey] as? URL
    let item = cocoa.userInfo[NSFilePathErrorKey] as? String ?? url?.path
    let destination = cocoa.userInfo["NSDestinationFilePath"] as? String
    let paths = [item, destination].compactMap(\.self)
    self.paths = paths.isEmpty ? outerPaths : paths
  }
}

extension FileFailure: Codable {
  /// The parts that cross to another process.
  private enum CodingKeys: String, CodingKey {
    case code, paths, isRead, machineFault, isPathTooLong
  }

  init(from decoder: any Decoder) throws {
    let parts = try decoder.container(keyedBy: CodingKeys.self)
    let name = try parts.decodeIfPresent(String.self, forKey: .code)
    self.code = ExpectedFailure.codes.first { $0.name == name }
    self.paths = try parts.decode([String].self, forKey: .paths)
    self.isRead = try parts.decode(Bool.self, forKey: .isRead)
    self.machineFault = try parts.decodeIfPresent(Int32.self, forKey: .machineFault)
    self.isPathTooLong = try parts.decode(Bool.self, forKey: .isPathTooLong)
  }

  func encode(to encoder: any Encoder) throws {
    var parts = encoder.container(keyedBy: CodingKeys.self)
    try parts.encodeIfPresent(code?.name, forKey: .code)
    try parts.encode(paths, forKey: .paths)
    try parts.encode(isRead, forKey: .isRead)
    try parts.encodeIfPresent(machineFault, forKey: .machineFault)
    try parts.encode(isPathTooLong, forKey: .isPathTooLong)
  }
}
