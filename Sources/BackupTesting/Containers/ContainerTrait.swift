import BackupContainer
public import BackupDevice
import BackupDiagnostics
public import BackupScenarios
import Foundation
public import Testing

/// A trait that gives each test case its own fake container, `FakeContainer.current`.
///
/// The container is removed afterwards, unless it is to be kept. Errors that the rules find become issues when the test
/// ends, unless the test has looked at them, for example with `expectNoFindings()`.
///
/// ```swift
/// @Test(.container(files: ["Documents/**": .critical]))
/// func `the watchlist is backed up`() throws {
///   let container = try FakeContainer.current
///   try Data("[]".utf8).write(to: container.documents.appending(path: "list.json"))
///   #expect(try container.backUp().contains("Documents/list.json"))
/// }
/// ```
public struct ContainerTrait: TestTrait, SuiteTrait, TestScoping {
  /// The version of iOS; nil for the newest.
  let system: String?
  let backups: SystemProfile.BackupKind
  let app: Scenario.App
  /// The classes of the app's files, by pattern.
  let files: KeyValuePairs<String, DataClass>
  let unseenFindings: UnseenFindings
  let isKept: Bool

  /// The treatment of errors that the rules find and that a test does not look at.
  public enum UnseenFindings: Sendable {
    /// Each error becomes an issue when the test ends.
    case reported
    /// The errors are ignored.
    case ignored
  }

  /// The environment variable that keeps every container when it is set.
  public static let keepVariable = "BACKUP_TESTING_KEEP"

  /// The container of the test that this task runs; nil without the trait.
  @TaskLocal static var container: FakeContainer?

  /// A Boolean value that indicates that each test of a suite gets its own container.
  public var isRecursive: Bool { true }

  /// Makes a container, runs one test case with it, and removes it.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: The case; nil for a suite, which needs no container.
  ///   - function: The function that runs the test case.
  /// - Throws: One of these errors:
  ///   - The error that the test throws. An error of the app's code that a rule reports becomes an issue instead, at
  ///     the ``BackupContainer/FakeContainer/perform(_:probesMarks:isolation:sourceLocation:_:)`` that threw it.
  ///   - `RunError` with the code `.unknownSystem`, `.invalidApp`, or `.invalidPath` for an invalid pattern.
  ///   - `RunError` with the code `.containerUnavailable` if no container can be made, read or removed.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    try await TestIssue.reportingFailures(in: test, testCase) {
      try await provideContainer(for: test, performing: function)
    }
  }

  private func provideContainer(
    for test: Test, performing function: @Sendable () async throws -> Void
  ) async throws {
    let configuration = try configuration()
    FoundationWarning.record(at: test.sourceLocation)
    TestProcess.current.checkEnvironment(at: test.sourceLocation)
    let layout = configuration.profile.layout(bundleIdentifier: app.bundleIdentifier)
    let container = try FakeContainer(
      layout: layout, groups: app.groups, extensions: app.extensions)
    try container.beginSession(configuration, sourceLocation: test.sourceLocation)
    do {
      try await Self.$container.withValue(container) {
        try await container.running { try await function() }
      }
      if unseenFindings == .reported { try container.recordUnseenErrors(at: test.sourceLocation) }
    } catch {
      let isRecorded = container.recordFindings(in: error, of: test.sourceLocation)
      try finish(container, of: test)
      guard isRecorded else { throw error }
      return
    }
    try finish(container, of: test)
  }

  private func configuration() throws -> SessionConfiguration {
    let name = system ?? SystemProfile.newest?.version.description ?? ""
    let profile = try SystemProfile.named(name)
    if let problem = app.problem { throw RunError(.invalidApp, problem) }
    var configuration = SessionConfiguration(profile: profile)
    configuration.backups = backups
    configuration.app = app
    configuration.files = files.isEmpty ? nil : try FilePromises(files)
    return configuration
  }

  /// Removes a container, or prints where it is kept.
  private func finish(_ container: FakeContainer, of test: Test) throws {
    container.endApp()
    container.recordLostLookUps(at: test.sourceLocation)
    let isAsked = ProcessInfo.processInfo.environment[Self.keepVariable]?.isEmpty == false
    guard isKept || isAsked else { return try container.remove() }
    container.keep()
    FileHandle.note("The container of \(test.name) is kept at \(container.url.path)\n")
  }
}

extension Trait where Self == ContainerTrait {
  /// Gives each test case a fake container of a newly installed app on the newest iOS.
  ///
  /// ```swift
  /// @Test(.container) func `a new app has nothing to back up`() throws {
  ///   let container = try FakeContainer.current
  ///   #expect(try container.backUp().files.isEmpty)
  /// }
  /// ```
  public static var container: Self { .container() }

  /// Gives each test case a fake container of a newly installed app.
  ///
  /// ```swift
  /// @Suite(.container(system: "18", files: ["Library/**": .offline])) struct MovieTests {
  ///   @Test func `a new app is right`() throws {
  ///     try FakeContainer.current.expectNoFindings()
  ///   }
  /// }
  /// ```
  ///
  /// An invalid argument causes an error when a test begins: see
  /// ``ContainerTrait/provideScope(for:testCase:performing:)``.
  ///
  /// - Parameters:
  ///   - system: The version of iOS, such as `"18"`; the newest by default.
  ///   - backups: The destination of backups; `.off` if the user has turned off backups of the app.
  ///   - bundleIdentifier: The app's bundle identifier.
  ///   - version: The app's version when it is installed.
  ///   - groups: The identifiers of its groups, each beginning with `group.`; each has a container
  ///     of its own, `url(ofGroup:)`, in paths `group.x:/`.
  ///   - extensions: The bundle identifiers of its extensions, each beginning with the app's and a
  ///     dot; each has a container of its own, `url(ofExtension:)`, in paths
  ///     `com.example.app.widget:/`.
  ///   - files: The classes of the app's files by pattern, relative to the container; the first
  ///     pattern that matches decides.
  ///   - findings: The treatment of errors that the test does not look at with `expectNoFindings()`
  ///     or `findings()`. By default, each becomes an issue when the test ends.
  ///   - isKept: `true` to keep the container on disk and print its path.
  /// - Returns: A trait for a test or a suite.
  public static func container(
    system: String? = nil, backups: SystemProfile.BackupKind = .iCloud,
    bundleIdentifier: String = "com.example.app", version: String = "1.0",
    groups: [String] = [], extensions: [String] = [],
    files: KeyValuePairs<String, DataClass> = [:],
    findings: ContainerTrait.UnseenFindings = .reported, isKept: Bool = false
  ) -> Self {
    let app = Scenario.App(
      bundleIdentifier: bundleIdentifier, version: version, groups: groups, extensions: extensions)
    return ContainerTrait(
      system: system, backups: backups, app: app, files: files, unseenFindings: findings,
      isKept: isKept)
  }
}

/// The current container, for code that does not link the kit but finds this class by its name.
///
/// The shim for Linux looks up `BackupTesting.CurrentContainer` at run time, creates an instance from the call in the
/// app's code, and reads its description. This class and the three below are `package` because the optimizer may drop
/// an internal class that no code names.
package final class CurrentContainer: LosslessStringConvertible {
  /// The container's absolute path.
  package let description: String

  /// Finds the current container of this task or, in a process of the app, of the process. If there is none, reports
  /// the look-up and returns nil.
  ///
  /// - Parameter description: The call in the app's code, such as `NSHomeDirectory()`; empty for no report.
  package init?(_ description: String) {
    guard let path = FakeContainer.ofTask?.currentLocations.url.path ?? AppVariables.ownContainer
    else {
      OpenContainers.shared.reportLostLookUp(description)
      return nil
    }
    self.description = path
  }
}

/// A module that contains the shim for Linux. The shim finds this class by its name, and reports each module once.
package final class ModuleWithShim: LosslessStringConvertible {
  /// The module's name.
  package let description: String

  /// Records the module at the start of a file identifier, such as `#fileID`.
  package init?(_ description: String) {
    guard let module = description.split(separator: "/").first else { return nil }
    self.description = String(module)
    FoundationMarks.noteShim(in: [self.description])
  }
}

/// The container of a group, for code that does not link the kit but finds this class by its name.
///
/// The shim for Linux creates an instance from the group's identifier, and reads its description.
package final class CurrentGroupContainer: LosslessStringConvertible {
  /// The absolute path of the group's container.
  package let description: String

  /// Finds the container of a group; returns nil if the app of this task is not in that group.
  package init?(_ description: String) {
    guard let container = FakeContainer.ofTask else {
      guard AppVariables.ownContainer == nil else { return nil }
      OpenContainers.shared.reportLostLookUp(
        "FileManager.containerURL(forSecurityApplicationGroupIdentifier: \"\(description)\")")
      return nil
    }
    guard let url = container.url(ofGroup: description) else { return nil }
    self.description = url.path
  }
}

/// The app's bundle identifier, for code that does not link the kit but finds this class by its name.
///
/// The shim for Linux creates an instance from an empty string, and reads its description.
package final class CurrentBundleIdentifier: LosslessStringConvertible {
  package let description: String

  /// Finds the bundle identifier of the app whose code this task runs; returns nil if it runs no code of an app.
  package init?(_ description: String) {
    guard let identifier = FakeContainer.ofTask?.currentIdentifier else { return nil }
    self.description = identifier
  }
}

private let warnedLookUps = Locked<Set<String>>([])

extension OpenContainers {
  /// Reports a look-up on a thread without a container: as an error of the test if only one container is open,
  /// otherwise as a warning. A test's own task needs no container, so its look-ups are not reported.
  func reportLostLookUp(_ call: String) {
    guard !call.isEmpty, Test.current == nil, noteLostLookUp(call) == .ambiguous,
      warnedLookUps.withLock({ $0.insert(call).inserted })
    else { return }
    Issue.record(
      Comment(
        rawValue:
          "\(FakeContainer.complaint(onLostLookUp: call)). Several containers are open, so the "
          + "kit does not know which test did it; with 'swift test --no-parallel' it fails "
          + "that test"),
      severity: .warning)
  }
}
