import BackupContainer
import BackupDiagnostics
import BackupFileTree
import CBackupProcess
import Foundation

/// An error of the app's code, as far as the kit understands it.
struct ThrownError: Hashable, Codable, Sendable {
  /// The file failure of the error itself or, if it has none, of the nearest error that it wraps.
  let cause: FileFailure
  let message: String
  /// True if the cause is an error that the thrown one wraps.
  let isWrapper: Bool
  /// The fault of the machine, in words, that the error or one that it wraps reports; nil for none.
  let machineFault: String?
  /// The absolute paths that the error, or one that it wraps, says are too long for this system.
  let tooLongPaths: [String]
  /// The mistake in the arguments of the action, if the error is about one.
  let argumentMistake: ArgumentMistake?
  /// The stack at the `throw`.
  let stack: Stack

  /// The functions on a stack. Any two are equal: an error stays the same if it is thrown again, or if its stack
  /// is not known any more.
  struct Stack: Hashable, Codable, Sendable {
    /// The innermost first, each as its return address relative to the start of the program; empty if they are
    /// not known.
    let callers: [UInt64]

    static func == (left: Stack, right: Stack) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
  }

  /// An argument that is missing, or of another type than the action asks for.
  struct ArgumentMistake: Hashable, Codable, Sendable {
    private let line: Int?
    private let column: Int?

    init(at position: SourcePosition?) { (line, column) = (position?.line, position?.column) }

    /// The value in the scenario file; nil if the argument is missing.
    var position: SourcePosition? {
      guard let line, let column else { return nil }
      return SourcePosition(line: line, column: column)
    }
  }

  /// The number of levels of values that are searched in an error of the app's own.
  private static let depth = 3
  /// The number of values that are searched on each level.
  private static let breadth = 1000

  /// Analyzes an error, or one that it wraps.
  init(_ error: any Error) {
    if let codeError = error as? ActionCall.CodeError {
      self = codeError.thrown
      return
    }
    let own = FileFailure(error)
    let inner = Self.innerFailures(of: error)
    let cause = own.code == nil ? inner.first { $0.code != nil } : nil
    self.cause = cause ?? own
    self.isWrapper = cause != nil
    let all = [own] + inner
    self.machineFault = all.compactMap(\.machineFault).first.map(MachineFault.words(for:))
    self.tooLongPaths = all.filter(\.isPathTooLong).flatMap(\.paths)
    self.argumentMistake = (error as? ActionCall.ArgumentError).map {
      ArgumentMistake(at: $0.position)
    }
    self.stack = Stack(callers: Self.callers(of: error))
    // Swift Testing's error for a failed '#require' has no description, and was already reported.
    let isRequirement = "\(type(of: error))" == "ExpectationFailedError"
    self.message =
      isRequirement
      ? "a '#require' failed, as another issue says"
      : Self.words(for: error, about: own.paths)
  }

  /// Returns the message for an error. For an error of Foundation, it is Foundation's own, with the path.
  private static func words(for error: any Error, about paths: [String]) -> String {
    guard (error as NSError).domain == NSCocoaErrorDomain, !(error is DecodingError),
      !(error is EncodingError)
    else { return "\(error)" }
    let words = error.localizedDescription
    guard let path = paths.first else { return words }
    // On Apple platforms, the words have the name of most items.
    let name = path.split(separator: "/").last ?? ""
    if words.contains("“\(name)”") { return words }
    let sentence = words.hasSuffix(".") ? String(words.dropLast()) : words
    return "\(sentence): '\(path)'"
  }

  private static let mostCallers = 24

  /// Returns the return addresses at the `throw` of an error, if it is one of the last in this process.
  private static func callers(of error: any Error) -> [UInt64] {
    // An 'any Error' is the address of a box. Without 'as', Swift would take the error in the box.
    guard MemoryLayout<any Error>.size == MemoryLayout<UnsafeRawPointer>.size else { return [] }
    let thrown = unsafeBitCast(error as any Error, to: UnsafeRawPointer.self)
    var callers = [UInt64](repeating: 0, count: mostCallers)
    let count = cpr_callers_of_throw(thrown, &callers, Int32(mostCallers))
    return Array(callers.prefix(Int(count)))
  }

  /// Returns the file failures of the errors within this one, the nearest first.
  private static func innerFailures(of error: any Error) -> [FileFailure] {
    // Each value with the paths of the nearest error around it, or of itself.
    var values: [(value: Any, paths: [String])] = [(error, FileFailure(error).paths)]
    var failures: [FileFailure] = []
    for _ in 0..<depth {
      let inner = values.lazy.flatMap { outer in
        (underlyingErrors(of: outer.value) + storedValues(of: outer.value)).map {
          ($0, outer.paths)
        }
      }
      values = inner.prefix(breadth).map { value, outerPaths in
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
    let several = information["NSMultipleUnderlyingErrorsKey"] as? [Any]
    return [information[NSUnderlyingErrorKey]].compactMap(\.self) + (several ?? [])
  }

  /// Returns the values of a value's stored properties or of its case. An object is searched only if it is an
  /// error, because another task may be changing any other object.
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
  /// The number of values that are searched in a collection.
  private static let breadth = 100

  /// The values of the children. A tuple, an optional or a collection is replaced with its values.
  fileprivate var storedValues: [Any] {
    children.prefix(Self.breadth).flatMap { child in
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
  let isRead: Bool
  /// The error number, if it reports a fault of the machine; nil for any other error.
  let machineFault: Int32?
  /// True if a path, or a name in it, is too long for this system.
  let isPathTooLong: Bool

  /// The kind of failure, for `throws`; nil if it is unknown.
  var code: FileOperation.Failure.Code? { codeName.map(FileOperation.Failure.Code.init(name:)) }

  /// Analyzes an error. If the error names no path, the paths are those of the error around it.
  init(_ error: any Error, outerPaths: [String] = []) {
    let cocoa = error as NSError
    let isCocoa = cocoa.domain == NSCocoaErrorDomain
    let number = isCocoa ? CocoaError.Code(rawValue: cocoa.code) : nil
    let posix = cocoa.domain == NSPOSIXErrorDomain ? Int32(truncatingIfNeeded: cocoa.code) : nil
    self.isRead = number == .fileReadNoSuchFile || posix == ENOENT
    let code: FileOperation.Failure.Code?
    if number == .fileReadNoSuchFile || number == .fileNoSuchFile || posix == ENOENT {
      code = .noSuchFile
    } else if number == .fileWriteFileExists || posix == EEXIST {
      code = .fileExists
    } else if number == .featureUnsupported {
      code = .unavailable
    } else {
      code = (error as? FileOperation.Failure)?.code
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
