import BackupDiagnostics
import Foundation

extension FileOperation {
  /// An error of an operation that cannot be performed.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a failure. Later versions of the kit may have more kinds.
    public struct Code: Hashable, Sendable {
      /// The code's name, such as `noSuchFile`.
      public let name: String

      package init(name: String) {
        self.name = name
      }

      /// A parent directory, or the item itself, is missing.
      public static let noSuchFile = Code(name: "noSuchFile")
      /// An item is at the destination, and the operation does not replace it.
      public static let fileExists = Code(name: "fileExists")
      /// A file stands where a directory is needed.
      public static let notADirectory = Code(name: "notADirectory")
      /// A directory stands where a file is needed.
      public static let isADirectory = Code(name: "isADirectory")
      /// The directory is not empty, although the operation needs an empty one.
      public static let directoryNotEmpty = Code(name: "directoryNotEmpty")
      /// The path leads through, or names, a symbolic link, socket or device.
      public static let notAFile = Code(name: "notAFile")
      /// A directory would end up inside itself.
      public static let intoItself = Code(name: "intoItself")
      /// The file would be larger than ``FileOperation/Contents/largest``.
      public static let tooLarge = Code(name: "tooLarge")
      /// The path would be longer than ``ContainerPath/longestPath`` or deeper than
      /// ``ContainerPath/deepestPath``.
      public static let pathTooLong = Code(name: "pathTooLong")
      /// The volume refuses the name, or treats it as the name of another item.
      public static let unsupportedName = Code(name: "unsupportedName")
      /// This version of iOS lacks something that the operation needs.
      public static let unavailable = Code(name: "unavailable")
      /// The file system refused the operation, for a reason that has no code of its own.
      public static let failed = Code(name: "failed")
      /// The machine lacks something that the operation needs, such as disk space. This is never
      /// the app's fault.
      public static let machineFault = Code(name: "machineFault")
    }

    /// The kind of failure, for code that distinguishes errors.
    public let code: Code
    /// The item at fault, relative to the container.
    public let path: ContainerPath
    /// The reason for ``Code/failed`` and ``Code/machineFault``, usually the system's error
    /// message. For ``Code/unsupportedName``, the problem and what to do.
    public let underlying: String?

    /// Creates a failure at a path.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - path: The item at fault, relative to the container.
    ///   - underlying: The reason, usually the system's error message. ``description`` has it only
    ///     for ``Code/failed``, ``Code/machineFault`` and ``Code/unsupportedName``.
    public init(_ code: Code, _ path: ContainerPath, underlying: String? = nil) {
      self.code = code
      self.path = path
      self.underlying = underlying
    }

    /// The failure as a sentence that names the item.
    public var description: String {
      switch code {
      case .noSuchFile: "no such file: '\(path)'"
      case .fileExists: "'\(path)' already exists"
      case .notADirectory: "'\(path)' is not a directory"
      case .isADirectory: "'\(path)' is a directory"
      case .directoryNotEmpty: "the directory '\(path)' is not empty"
      case .notAFile:
        "'\(path)' is a link or a special file, and the kit does not write through those"
      case .intoItself: "'\(path)' cannot be put inside itself"
      case .tooLarge:
        "'\(path)' would be larger than \(FileOperation.Contents.largest.formattedSize), the most that a file may have"
      case .pathTooLong: "the path of '\(path)', or of an item in it, would be too long"
      case .unavailable: "this version of iOS has no such mark to set on '\(path)'"
      default: "'\(path)': \(underlying ?? "the file system refused")"
      }
    }
  }
}

/// An error that the test machine causes, and not the app.
///
/// For example, no file descriptor is free. An app that never closes its files would see the same
/// error on a device. But a test cannot distinguish this app from a machine that runs too many
/// tests at once, so the run stops.
package enum MachineFault {
  /// The advice for each error number.
  private static let advice: [Int32: String] = [
    EMFILE: "raise the limit of open files with 'ulimit -n', or run fewer tests at once",
    ENFILE: "raise the system's limit of open files, or run fewer tests at once",
    ENOMEM: "raise the limit of memory with 'ulimit -v', or run fewer tests at once",
    ENOSPC: "free some space, or set TMPDIR to a folder on another volume",
    EDQUOT: "free some space, or set TMPDIR to a folder on another volume",
    EFBIG: "raise the limit of a file's size with 'ulimit -f'",
    EIO: "check the volume, or set TMPDIR to a folder on another one",
    ENOLCK: "run fewer tests at once",
  ]

  /// Returns true if an error number stands for a fault of the machine.
  package static func includes(_ number: Int32) -> Bool { advice[number] != nil }

  /// Returns the system's message for an error number. For a fault of the machine, adds advice.
  package static func words(for number: Int32) -> String {
    let message = String(cString: strerror(number))
    return advice[number].map {
      "\(message), which is a limit of this machine and not a mistake of the app: \($0)"
    }
      ?? message
  }

  /// Returns a message for the error of a process or a thread that cannot be started. For a fault
  /// of the machine, adds advice.
  ///
  /// `EAGAIN` is a fault of the machine only in this case. For a file, it means that the caller
  /// must wait.
  package static func words(forFailedStart number: Int32) -> String {
    guard number == EAGAIN else { return words(for: number) }
    return
      "the machine cannot start another process or thread (\(String(cString: strerror(number)))), "
      + "which is a limit of this machine and not a mistake of the app: raise it with 'ulimit "
      + "-u', or run fewer tests at once"
  }

  /// Returns the POSIX error number of a Foundation error. Returns nil if the error is no fault of
  /// the machine.
  package static func errorNumber(of error: any Error) -> Int32? {
    let error = error as NSError
    switch error.domain {
    case NSPOSIXErrorDomain:
      let number = Int32(truncatingIfNeeded: error.code)
      return includes(number) ? number : nil
    case NSCocoaErrorDomain where error.code == CocoaError.fileWriteOutOfSpace.rawValue:
      return ENOSPC
    default: return nil
    }
  }
}
