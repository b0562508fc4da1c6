import Foundation

/// What a machine lacks or does wrong, which is never a fact of the app's.
///
/// An app that leaves no descriptor free would see the same error on a device, but a test cannot
/// tell it from a machine that runs many tests at once. So the run breaks off and says so.
package enum MachineFault {
  /// The error numbers, each with what to do.
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

  /// Whether an error number of a system call says what the machine lacks.
  package static func isOne(_ number: Int32) -> Bool { advice[number] != nil }

  /// The platform's words for an error, and what to do if it is the machine's.
  package static func words(for number: Int32) -> String {
    let words = String(cString: strerror(number))
    return advice[number].map {
      "\(words), which is a limit of this machine and not a mistake of "
        + "the app: \($0)"
    }
      ?? words
  }

  /// The platform's words for a process or a thread that cannot be made, and what to do if that is
  /// the machine's fault. EAGAIN is the machine's fault only here: for a file, it means that the
  /// caller must wait.
  package static func words(forStarting number: Int32) -> String {
    guard number == EAGAIN else { return words(for: number) }
    return
      "the machine cannot start another process or thread (\(String(cString: strerror(number)))), "
      + "which is a limit of this machine and not a mistake of the app: raise it with 'ulimit "
      + "-u', or run fewer tests at once"
  }

  /// The error number that Foundation's error stands for, where that is the machine's; nil for any
  /// other error.
  package static func number(of error: any Error) -> Int32? {
    let error = error as NSError
    switch error.domain {
    case NSPOSIXErrorDomain:
      let number = Int32(truncatingIfNeeded: error.code)
      return isOne(number) ? number : nil
    case NSCocoaErrorDomain where error.code == CocoaError.fileWriteOutOfSpace.rawValue:
      return ENOSPC
    default: return nil
    }
  }
}
