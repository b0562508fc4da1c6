import BackupCollections
package import BackupDevice
public import BackupDiagnostics
package import BackupFileTree
import BackupJSON5

extension Scenario {
  /// A step: something that the app or iOS does, or an assertion.
  public struct Step: Sendable {
    /// The step's number, position and summary.
    public internal(set) var reference: Scenario.StepReference
    /// The failure that the step requires; nil if the step must succeed.
    var expectedFailure: ExpectedFailure?
    /// The systems on which the step runs; nil for all.
    let systems: Located<Set<SystemVersion>>?
    /// The versions of the app with which the step runs; nil for all.
    var appVersions: Located<AppVersions>?
    /// The point in the step at which the app is killed, or at which a write fails; nil for no
    /// interruption.
    var interruptionPoint: InterruptionPoint?
    /// True if the step may fail after a system event.
    package internal(set) var mayThrow = false
    /// The reaction of the app to a locked device; nil if the app does not check.
    var ifLocked: IfLocked?
    /// The extension that performs the step; nil for the app itself.
    package internal(set) var extensionIdentifier: String?
    @Boxed private(set) var action: StepAction

    init(
      _ action: StepAction, as reference: Scenario.StepReference,
      on systems: Located<Set<SystemVersion>>? = nil,
      failing expectedFailure: ExpectedFailure? = nil
    ) {
      self.action = action
      self.reference = reference
      self.systems = systems
      self.expectedFailure = expectedFailure
    }

    package var mustFail: Bool { expectedFailure != nil }
    /// True if the step launches an app that is not running. A step of an extension does not.
    package var launchesApp: Bool {
      extensionIdentifier == nil && action.traits.contains(.launchesApp)
    }
    /// True if the app or one of its extensions performs the step.
    package var isOfApp: Bool { action.traits.actor == .app }
    package var isAssertion: Bool { action.traits.actor == .observer }
    package var runsCode: Bool { action.traits.contains(.runsCode) }
    package var actionName: String? { action.actionName }
    package var hasArguments: Bool {
      if case .code(.perform(_, with: let arguments)) = action {
        !arguments.members.isEmpty
      } else {
        false
      }
    }
    package var onlyLaunchesApp: Bool { action.traits.contains(.onlyLaunchesApp) }
    package var updatesApp: Bool { action.traits.contains(.updatesApp) }
    package var keyword: StepKeyword { action.keyword }
    package var neededBackupLabel: String? { action.neededBackupLabel }
    /// The only item that the step touches, if a repetition of the step changes nothing; nil for
    /// any other step. Also nil for a step with conditions, with a kill or with a permitted
    /// failure.
    package var pathIfRepeatable: ContainerPath? {
      expectedFailure == nil && systems == nil && appVersions == nil && ifLocked == nil && !mayThrow
        && interruptionPoint == nil ? action.pathIfRepeatable : nil
    }
    /// True if the app reads or changes existing data without checking whether the device is
    /// locked.
    package var needsProtectedData: Bool { action.needsProtectedData && ifLocked == nil }
    /// The file that the app reads in the step; nil for any other step.
    package var readPath: ContainerPath? {
      switch action {
      case .app(.read(let path, ifMissing: _)),
        .app(.sealed(.read(let path, ifMissing: _), with: _)):
        path
      default: nil
      }
    }
    /// The name of the user default or keychain item that the app reads in the step; nil for any
    /// other step.
    package var readValueName: String? {
      switch action {
      case .app(.readDefault(let name, expected: _, suite: _)),
        .app(.readKeychainItem(let name, ifMissing: _, expected: _)):
        name
      default: nil
      }
    }
    package var onlyReads: Bool { action.traits.contains(.onlyReads) }
    package var restoresFolder: Bool {
      if case .system(.restoreFolder) = action { true } else { false }
    }

    package var isInterrupted: Bool { interruptionPoint != nil }

    /// Returns the step with a kill at `point`. A killed step has no expected failure.
    package func killed(before point: InterruptionPoint) -> Step {
      var step = self
      step.interruptionPoint = point
      step.expectedFailure = nil
      return step
    }
  }

  /// A reference to a step of a scenario, to a call of a test without a scenario file, or to no
  /// step.
  public struct StepReference: Hashable, Sendable {
    /// The number of a step, unique in its scenario or test.
    @nonexhaustive
    public enum Number: Hashable, Sendable {
      /// A step of `steps`, counted from 1.
      case step(Int)
      /// A step of `launch`, counted from 1. Each launch of the app repeats it.
      case launch(Int)
      /// A test's call, counted from 1, at a line of the test's file.
      case call(Int, line: Int)
      /// No step: the container was in this state before the kit watched it.
      case found
    }

    /// The step's number in its list: `steps`, `launch` or the calls of a test.
    public let number: Number
    /// The position at which the step begins in the scenario file, or the call in the test's file.
    public let position: SourcePosition
    /// The step in a few words: `save Documents/a.txt`.
    public let summary: String
  }
}

/// The reaction of an app that checks whether protected data is available, and finds it
/// unavailable.
enum IfLocked: String, CaseIterable, Hashable, Sendable {
  case skip
  /// The app performs the step when the user unlocks the device.
  case wait
}

/// The failure that a step requires.
enum ExpectedFailure: Hashable, Sendable, CustomStringConvertible {
  /// `throws: true`.
  case any
  /// `throws` with the name of an error, such as `throws: "noSuchFile"`.
  case code(FileOperation.Failure.Code)

  static let codes: [FileOperation.Failure.Code] = [.noSuchFile, .fileExists, .unavailable]

  static let field = Field(
    "throws", .expectedFailure, default: .value(false),
    "true: the step must fail. An error's name: the step must fail with this error.")

  static let refusedField = Field<ExpectedFailure>(
    "throws",
    .refused(
      "'throws' is only for steps of the app; remove it, because this step cannot fail"),
    "How the step must fail.")

  func matches(_ failure: StepFailure) -> Bool {
    switch self {
    case .any: true
    case .code(let code): failure.code == code
    }
  }

  var description: String {
    switch self {
    case .any: "any error"
    case .code(let code): "'\(code.name)'"
    }
  }
}

extension Form where Value == ExpectedFailure {
  /// The failure that a step requires; nil for `false`.
  fileprivate static var expectedFailure: Form {
    let codeForm = word(
      ExpectedFailure.codes.map { ($0.name, ExpectedFailure.code($0)) }, named: "error")
    let permittedValues: [Schema] = [true, false] + ExpectedFailure.codes.map { .text($0.name) }
    return Form(
      expected: codeForm.expected, words: "`true`, `false`, \(codeForm.words)",
      schema: ["enum": .list(permittedValues)]
    ) { reader in
      if case .bool(let isExpected) = reader.value.kind { return isExpected ? .any : nil }
      return codeForm.read(reader)
    }.named("throws", "How a step must fail: in any way (true), or only in this way.")
  }
}

extension Scenario.Step {
  static let extensionField = Field(
    "in", .extensionIdentifier, default: .inWords("the app"),
    "The extension that does the step, in its own process. The step does not launch the app. The extension "
      + "reaches its own container and those of groups.",
    examples: ["com.example.app.widget"])

  static let refusedExtensionField = Field<String>(
    "in", .refused("the kit does not simulate this step in an extension; remove 'in'"),
    "The extension that does the step.")

  static let mayThrowField = Field(
    "mayThrow", .boolean, default: .value(false),
    "The step may fail if a system event, such as a kill, happened earlier in the run."
  )

  static let refusedMayThrowField = Field<Bool>(
    "mayThrow",
    .refused(
      "'mayThrow' is only for steps of the app; remove it, because this step cannot fail"),
    "Whether the step may fail.")

  static let systemsField = Field(
    "on", .stepSystems, default: .inWords("every version"),
    "The versions of iOS on which the step runs. If the device has another version at this step, "
      + "the step is skipped.",
    examples: ["5.0.1", ["5.0", "newest"]])

  static let appVersionsField = Field(
    "app", .appVersions, default: .inWords("every version"),
    "The versions of the app with which the step runs: one, a list, or a range. If the app has another "
      + "version at this step, the step is skipped. A migration at launch has the range of the version that "
      + "brings it.",
    examples: ["2.0", ["from": "2.0"]])

  static let ifLockedField = Field(
    "ifLocked", .ifLocked, default: .inWords("the app does not check"),
    "With this key, the app checks whether protected data is available. skip: while the device is "
      + "locked, the app continues without this step. wait, only in 'launch': the app does the step when "
      + "the user unlocks the device.")

  static let refusedIfLockedField = Field<IfLocked>(
    "ifLocked",
    .refused("'ifLocked' is only for steps of the app; remove it, because only the app checks"),
    "Whether the app checks.")

  /// Returns true if the step runs with a version of the app.
  package func applies(with version: String) -> Bool {
    appVersions?.value.contains(version) != false
  }

  /// Returns true if the step runs on a system.
  package func applies(on system: SystemVersion) -> Bool {
    systems?.value.contains(system) != false
  }
}

extension Scenario.StepReference.Number: CustomStringConvertible {
  /// The number in the form of an expectation, such as `5` or `launch 1`. For a test's call,
  /// `line 42`. For no step, `as found`.
  public var description: String {
    switch self {
    case .step(let number): "\(number)"
    case .launch(let number): "launch \(number)"
    case .call(_, let line): "line \(line)"
    case .found: "as found"
    }
  }
}

extension Scenario.StepReference: CustomStringConvertible {
  /// `step 5`, `launch step 1`, `line 42` for a test's call, or `the start`.
  public var description: String {
    switch number {
    case .step(let number): "step \(number)"
    case .launch(let number): "launch step \(number)"
    case .call(_, let line): "line \(line)"
    case .found: "the start"
    }
  }

  /// `step 5, save Documents/a.txt`; the start has no summary.
  package var withSummary: String { number == .found ? description : "\(self), \(summary)" }

  /// `step 5 (save Documents/a.txt)`; the start has no summary.
  package var withSummaryInParentheses: String {
    number == .found ? description : "\(self) (\(summary))"
  }
}

extension Form where Value == IfLocked {
  fileprivate static var ifLocked: Form {
    word(of: IfLocked.self).named(
      "ifLocked",
      "What an app that checks whether protected data is available does while it is not.")
  }
}

extension Form where Value == [NamedSystem] {
  fileprivate static var stepSystems: Form {
    oneOrMore(of: .system, named: "version of iOS", distinctAs: "system")
      .named("on", "The versions of iOS on which a step runs.")
  }
}
