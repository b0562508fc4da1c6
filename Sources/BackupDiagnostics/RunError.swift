/// An error that kept the kit from carrying out a request.
///
/// Findings and differences from golden files are not errors: they are recorded as issues.
///
/// ```swift
/// let error = #expect(throws: RunError.self) { try container.updateSystem(to: "5.0") }
/// #expect(error?.code == .systemNotLater)
/// ```
public struct RunError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error, for code that distinguishes errors.
  public let code: Code
  /// A sentence with the reason, which names the file or the item at fault.
  public private(set) var description: String
  /// The mistakes in the scenario files, in the order of the files. Empty unless the code is
  /// ``Code/invalidScenario``.
  public let diagnostics: [ScenarioDiagnostic]
  /// True if the fault is the machine's, so that the error says nothing about the app.
  package private(set) var isMachineFault = false

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
    self.diagnostics = []
  }

  /// Creates an error about a container that is not available. `path` is the container's path, or
  /// the path of an item that the kit needs for it.
  package init(unavailablePath: String, reason: String, isMachineFault: Bool = false) {
    self.init(.containerUnavailable, "\(unavailablePath): \(reason)")
    self.isMachineFault = isMachineFault
  }

  /// Creates an error about an invalid path. `reason` follows the path in the description.
  package init(invalidPath path: String, reason: String) {
    self.init(.invalidPath, "'\(path)' \(reason)")
  }

  /// Calls `work`. If it throws, puts `subject` before the description of the error.
  package static func addingSubject<Result>(
    _ subject: String, _ work: () throws(RunError) -> Result
  ) throws(RunError) -> Result {
    do throws(RunError) {
      return try work()
    } catch {
      var namedError = error
      namedError.description = "\(subject) \(error)"
      throw namedError
    }
  }

  package init(_ diagnostics: [ScenarioDiagnostic]) {
    self.code = .invalidScenario
    self.description = diagnostics.map(\.description).joined(separator: "\n")
    self.diagnostics = diagnostics
  }

  /// The kind of an error. Later versions of the kit may add kinds.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, such as `noScenario`.
    public let description: String

    private init(_ name: String) {
      self.description = name
    }

    /// The folder has no scenario, or no scenario that matches the filter or id.
    public static let noScenario = Code("noScenario")
    /// A scenario file has mistakes, which ``RunError/diagnostics`` lists.
    public static let invalidScenario = Code("invalidScenario")
    /// A file or folder is missing, cannot be read, or is of the wrong kind.
    public static let unreadable = Code("unreadable")
    /// The file at a golden file's path is not a golden file.
    package static let notGolden = Code("notGolden")
    /// A file has a format that only later versions of the kit know.
    package static let laterFormat = Code("laterFormat")
    /// A file cannot be written, or another file exists at its path.
    public static let unwritable = Code("unwritable")
    /// Two scenario files would share a golden file.
    public static let sharedGoldenFile = Code("sharedGoldenFile")
    /// The kit has no profile of this version of iOS.
    public static let unknownSystem = Code("unknownSystem")
    /// An update names the version of iOS that the device has, or an earlier one.
    public static let systemNotLater = Code("systemNotLater")
    /// A path or pattern is not valid, or is outside the directories that the call accepts.
    public static let invalidPath = Code("invalidPath")
    /// The description of an app is not valid. For example, its bundle identifier is invalid, its
    /// type cannot be found by name, or it binds no action of the requested name.
    public static let invalidApp = Code("invalidApp")
    /// No record mode has this name.
    public static let unknownRecordMode = Code("unknownRecordMode")
    /// An environment variable has a value that is unknown to explorations.
    public static let unknownExploration = Code("unknownExploration")
    /// A container cannot be created, read or written.
    public static let containerUnavailable = Code("containerUnavailable")
    /// A test without the `.container` trait, or a detached task, asked for the current container.
    public static let noContainer = Code("noContainer")
    /// An earlier `perform` or `launch` in this container is still running.
    public static let performing = Code("performing")
    /// The backup is of another container, or of an earlier session of this container.
    public static let foreignBackup = Code("foreignBackup")
    /// The app could not start, was ended, or crashed.
    public static let appEnded = Code("appEnded")
    /// The app is offloaded, and the call needs an installed app.
    public static let notInstalled = Code("notInstalled")
    /// The parts of the request contradict each other.
    package static let contradictory = Code("contradictory")
  }
}
