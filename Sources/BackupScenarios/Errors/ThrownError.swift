import BackupContainer
import BackupDiagnostics
import BackupFileTree
import CBackupProcess
import Foundation

/// Facts about an error that the app's code threw.
struct ThrownError: Hashable, Codable, Sendable {
  /// The file failure that the error reports. If the error reports none, this is the failure that
  /// the nearest wrapped error reports.
  let cause: FileFailure
  let message: String
  /// True if `cause` comes from a wrapped error.
  let isWrapper: Bool
  /// A sentence about a fault of the machine, such as a full disk. The error itself or a wrapped
  /// error reports the fault; nil for no fault.
  let machineFault: String?
  /// The absolute paths that are too long for this system, from the error itself or a wrapped
  /// error.
  let tooLongPaths: [String]
  /// The mistake in the action's arguments if the error is an ``ActionCall/ArgumentError``.
  let argumentMistake: ArgumentMistake?
  /// The call stack at the `throw`.
  let stack: Stack

  /// A call stack. All stacks are equal, so that a comparison of errors ignores them. For example,
  /// an app may throw the same error again, with another stack.
  struct Stack: Hashable, Codable, Sendable {
    /// The return addresses, relative to the start of the program, the innermost first. Empty if
    /// unknown.
    let callers: [UInt64]

    static func == (left: Stack, right: Stack) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
  }

  /// An argument that is missing or has the wrong type.
  struct ArgumentMistake: Hashable, Codable, Sendable {
    private let line: Int?
    private let column: Int?

    init(at position: SourcePosition?) { (line, column) = (position?.line, position?.column) }

    /// The position of the value in the scenario file; nil if the argument is missing.
    var position: SourcePosition? {
      guard let line, let column else { return nil }
      return SourcePosition(line: line, column: column)
    }
  }

  /// The number of levels at which the kit searches for wrapped errors.
  private static let searchDepth = 3
  /// The maximum number of values that the kit examines at each level.
  private static let searchBreadth = 1000

  /// Finds the facts in an error and in the errors that it wraps.
  init(_ error: any Error) {
    if let codeError = error as? ActionCall.CodeError {
      self = codeError.thrown
      return
    }
    let ownFailure = FileFailure(error)
    let wrappedFailures = Self.wrappedFailures(of: error)
    let wrappedCause = ownFailure.code == nil ? wrappedFailures.first { $0.code != nil } : nil
    self.cause = wrappedCause ?? ownFailure
    self.isWrapper = wrappedCause != nil
    let failures = [ownFailure] + wrappedFailures
    self.machineFault = failures.compactMap(\.machineFault).first.map(MachineFault.words(for:))
    self.tooLongPaths = failures.filter(\.isPathTooLong).flatMap(\.paths)
    self.argumentMistake = (error as? ActionCall.ArgumentError).map {
      ArgumentMistake(at: $0.position)
    }
    self.stack = Stack(callers: Self.callers(of: error))
    // Swift Testing's error for a failed '#require' has no description, and was already reported.
    let isFailedRequire = "\(type(of: error))" == "ExpectationFailedError"
    self.message =
      isFailedRequire
      ? "a '#require' failed, as another issue says"
      : Self.message(for: error, paths: ownFailure.paths)
  }

  /// Returns the message of an error. Adds the path to a message of Foundation that does not name
  /// the item.
  private static func message(for error: any Error, paths: [String]) -> String {
    guard (error as NSError).domain == NSCocoaErrorDomain, !(error is DecodingError),
      !(error is EncodingError)
    else { return "\(error)" }
    let message = error.localizedDescription
    guard let path = paths.first else { return message }
    // On Apple platforms, most messages name the item.
    let itemName = path.split(separator: "/").last ?? ""
    if message.contains("“\(itemName)”") { return message }
    let sentence = message.hasSuffix(".") ? String(message.dropLast()) : message
    return "\(sentence): '\(path)'"
  }

  private static let maximumCallerCount = 24

  /// Returns the return addresses on the stack at an error's `throw`. Empty on platforms other than
  /// Linux, and if this process has thrown many errors since.
  private static func callers(of error: any Error) -> [UInt64] {
    // An 'any Error' is a pointer to a box. Without 'as', Swift would cast the value in the box.
    guard MemoryLayout<any Error>.size == MemoryLayout<UnsafeRawPointer>.size else { return [] }
    let errorBox = unsafeBitCast(error as any Error, to: UnsafeRawPointer.self)
    var callers = [UInt64](repeating: 0, count: maximumCallerCount)
    let count = cpr_callers_of_throw(errorBox, &callers, Int32(maximumCallerCount))
    return Array(callers.prefix(Int(count)))
  }

  /// Returns the file failures that wrapped errors report, the nearest first.
  private static func wrappedFailures(of error: any Error) -> [FileFailure] {
    // The paths belong to the value or, if it is no error, to the nearest error around it.
    var values: [(value: Any, paths: [String])] = [(error, FileFailure(error).paths)]
    var failures: [FileFailure] = []
    for _ in 0..<searchDepth {
      let innerValues = values.lazy.flatMap { outer in
        (underlyingErrors(of: outer.value) + storedValues(of: outer.value)).map {
          ($0, outer.paths)
        }
      }
      values = innerValues.prefix(searchBreadth).map { value, outerPaths in
        guard let error = value as? any Error else { return (value, outerPaths) }
        let failure = FileFailure(error, outerPaths: outerPaths)
        failures.append(failure)
        return (value, failure.paths)
      }
    }
    return failures
  }

  private static func underlyingErrors(of value: Any) -> [Any] {
    guard let error = value as? any Error else { return [] }
    let information = (error as NSError).userInfo
    let multipleErrors = information["NSMultipleUnderlyingErrorsKey"] as? [Any]
    return [information[NSUnderlyingErrorKey]].compactMap(\.self) + (multipleErrors ?? [])
  }

  /// Returns the values of the stored properties, or the associated values of an enum's case. Reads
  /// an object only if it is an error, because another task may change other objects at the same
  /// time.
  private static func storedValues(of value: Any) -> [Any] {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .struct, .enum:
      return mirror.storedValues
    case .class where value is any Error:
      let classes = sequence(first: mirror) { $0.superclassMirror }
      return classes.prefix { $0.subjectType != NSError.self }.flatMap(\.storedValues)
    default:
      return []
    }
  }
}

extension Mirror {
  /// The maximum number of children that the kit reads.
  private static let maximumChildCount = 100

  /// The values of the children. Tuples, optionals and collections are flattened.
  fileprivate var storedValues: [Any] {
    children.prefix(Self.maximumChildCount).flatMap { child in
      let mirror = Mirror(reflecting: child.value)
      switch mirror.displayStyle {
      case .tuple, .optional, .collection, .set, .dictionary: return mirror.storedValues
      default: return [child.value]
      }
    }
  }
}

/// The failure of a file operation, according to an error's Cocoa or POSIX code.
struct FileFailure: Codable, Hashable, Sendable {
  private let codeName: String?
  /// The absolute paths of the item and of its destination.
  let paths: [String]
  /// True if the app tried to read a missing file. ENOENT counts as an attempt to read.
  let isRead: Bool
  /// The error number if it means a fault of the machine; nil for any other error.
  let machineFault: Int32?
  /// True if a path, or a name in it, is too long for this system.
  let isPathTooLong: Bool

  /// The code that the key `throws` of a step can expect; nil if unknown.
  var code: FileOperation.Failure.Code? { codeName.map(FileOperation.Failure.Code.init(name:)) }

  /// Finds the failure in an error. If the error names no path, `paths` become `outerPaths`, the
  /// paths of the error that wraps it.
  init(_ error: any Error, outerPaths: [String] = []) {
    let nsError = error as NSError
    let isCocoa = nsError.domain == NSCocoaErrorDomain
    let cocoaCode = isCocoa ? CocoaError.Code(rawValue: nsError.code) : nil
    let posixCode =
      nsError.domain == NSPOSIXErrorDomain ? Int32(truncatingIfNeeded: nsError.code) : nil
    self.isRead = cocoaCode == .fileReadNoSuchFile || posixCode == ENOENT
    let code: FileOperation.Failure.Code?
    if cocoaCode == .fileReadNoSuchFile || cocoaCode == .fileNoSuchFile || posixCode == ENOENT {
      code = .noSuchFile
    } else if cocoaCode == .fileWriteFileExists || posixCode == EEXIST {
      code = .fileExists
    } else if cocoaCode == .featureUnsupported {
      code = .unavailable
    } else {
      code = (error as? FileOperation.Failure)?.code
    }
    self.codeName = code?.name
    self.machineFault = MachineFault.errorNumber(of: error)
    self.isPathTooLong = posixCode == ENAMETOOLONG
    let url = nsError.userInfo[NSURLErrorKey] as? URL
    let itemPath = nsError.userInfo[NSFilePathErrorKey] as? String ?? url?.path
    let destinationPath = nsError.userInfo["NSDestinationFilePath"] as? String
    let paths = [itemPath, destinationPath].compactMap(\.self)
    self.paths = paths.isEmpty ? outerPaths : paths
  }
}
