import BackupDiagnostics
import Foundation

/// A tool that could not be started.
struct ProcessError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kept it from starting.
  enum Code: Hashable, Sendable {
    /// There is no such file.
    case notFound
    /// The file cannot be run.
    case notExecutable
    /// This platform has no processes to start.
    case unsupported
    /// The system refused.
    case system(Int32)
  }

  /// What kept it from starting.
  let code: Code
  /// Why, in a sentence.
  let description: String

  /// A reason in words.
  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// A start that the system refused with an error number.
  init(_ number: Int32, starting tool: String) {
    let name = EscapedText.escape(tool.cut(to: 200))
    switch number {
    case ENOTSUP:
      self.init(
        .unsupported, "'\(name)' cannot be run: this kit cannot run processes on this platform")
    case ENOEXEC:
      self.init(
        .notExecutable, "'\(name)' is no program of this system, and no script with a #! line")
    case ENOENT:
      self.init(.notFound, "'\(name)' cannot be run: what its #! line names is not there")
    default:
      self.init(.system(number), "'\(name)' cannot be run: \(String(cString: strerror(number)))")
    }
  }
}
