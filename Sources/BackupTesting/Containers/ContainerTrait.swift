import BackupContainer
public import BackupDevice
import BackupDiagnostics
public import BackupScenarios
import Foundation
public import Testing

/// A trait that gives each test case its own fake container.
///
/// The test gets the container from `FakeContainer.current`. When the test case ends, the kit
/// records an issue for each error that the rules found and that the test has not looked at. To
/// look at errors, call `expectNoFindings()` or `findings()`. At the end, the kit removes the
/// container.
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

  /// The treatment of errors that the rules find, but that a test does not look at.
  public enum UnseenFindings: Sendable {
    /// Each error becomes an issue when the test ends.
    case reported
    /// The errors are ignored.
    case ignored
  }

  /// The name of an environment variable. If it is set, the kit keeps every container after the
  /// test.
  public static let keepVariable = "BACKUP_TESTING_KEEP"

  /// The container of the test that this task runs; nil if the test does not have the trait.
  @TaskLocal static var container: FakeContainer?

  /// Always `true`, so that each test in a suite gets its own container.
  public var isRecursive: Bool { true }

  /// Creates a container, runs one test case with it, and removes it.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: The case; nil for a suite, which gets no container.
  ///   - function: The function that runs the test case.
  /// - Throws: One of these errors:
  ///   - The error that the test throws. If the app's code threw this error and a rule reports it,
  ///     the error becomes an issue instead, at the call of
  ///     ``BackupContainer/FakeContainer/perform(_:probesMarks:isolation:sourceLocation:_:)``.
  ///   - `RunError` with the code `.unknownSystem` if the kit does not know the version of iOS.
  ///   - `RunError` with the code `.invalidApp` if the app's identifiers are invalid.
  ///   - `RunError` with the code `.invalidPath` if a pattern in `files` is invalid.
  ///   - `RunError` with the code `.containerUnavailable` if the container cannot be created, read
  ///     or removed.
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
        try await container.runCode { try await function() }
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
    let systemName = system ?? SystemProfile.newest?.version.description ?? ""
    let profile = try SystemProfile.named(systemName)
    if let problem = app.identifierProblem { throw RunError(.invalidApp, problem) }
    var configuration = SessionConfiguration(profile: profile)
    configuration.backups = backups
    configuration.app = app
    configuration.files = files.isEmpty ? nil : try FilePromises(files)
    return configuration
  }

  /// Ends the app and removes the container. If the container is to be kept, prints its path
  /// instead.
  private func finish(_ container: FakeContainer, of test: Test) throws {
    container.endApp()
    container.recordComplaintsAboutCode(at: test.sourceLocation)
    let isKeepVariableSet =
      ProcessInfo.processInfo.environment[Self.keepVariable]?.isEmpty == false
    guard isKept || isKeepVariableSet else { return try container.remove() }
    container.keep()
    FileHandle.note("The container of \(test.name) is kept at \(container.url.path)\n")
  }
}

extension Trait where Self == ContainerTrait {
  /// Gives each test case a fake container of a newly installed app, on the newest version of iOS.
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
  /// If an argument is invalid, each test fails when it begins. For the errors, see
  /// ``ContainerTrait/provideScope(for:testCase:performing:)``.
  ///
  /// - Parameters:
  ///   - system: The version of iOS, such as `"18"`; the newest by default.
  ///   - backups: The destination of backups, such as `.iCloud`; `.off` if the user has turned off
  ///     backups of the app.
  ///   - bundleIdentifier: The app's bundle identifier.
  ///   - version: The app's version when it is installed.
  ///   - groups: The identifiers of the app's groups, each beginning with `group.`. A group has its
  ///     own container: `url(ofGroup:)` returns its URL, and a path in it begins with `group.x:/`.
  ///   - extensions: The bundle identifiers of the app's extensions, each beginning with the app's
  ///     bundle identifier and a dot. An extension has its own container: `url(ofExtension:)`
  ///     returns its URL, and a path in it begins with, for example, `com.example.app.widget:/`.
  ///   - files: The classes of the app's files, by pattern. A pattern is relative to the container,
  ///     such as `Documents/**`. If several patterns match a file, the first decides.
  ///   - findings: The treatment of errors that the test does not look at with `expectNoFindings()`
  ///     or `findings()`. By default, each of them becomes an issue when the test ends.
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

/// The path of the current container, for the shim for Linux.
///
/// The shim does not link the kit. It looks up the class `BackupTesting.CurrentContainer` by its
/// name at run time, creates an instance, and reads the `description`. This class and the next
/// three are `package`, because the optimizer may remove an internal class that no code names.
package final class CurrentContainer: LosslessStringConvertible {
  /// The container's absolute path.
  package let description: String

  /// Finds the current container of this task or, in a process of the app, that of the process.
  ///
  /// If there is no container, reports the call of the app's code, and returns nil.
  ///
  /// - Parameter description: The call of the app's code, such as `NSHomeDirectory()`. If it is
  ///   empty, nothing is reported.
  package init?(_ description: String) {
    guard let path = FakeContainer.taskLocal?.currentLocations.url.path ?? AppVariables.ownContainer
    else {
      OpenContainers.shared.reportLostLookUp(description)
      return nil
    }
    self.description = path
  }
}

/// A module that contains the shim for Linux.
///
/// The shim looks up this class by its name, and creates one instance in each module.
package final class ModuleWithShim: LosslessStringConvertible {
  /// The module's name.
  package let description: String

  /// Records the module that begins a file identifier: `MyApp` for `MyApp/List.swift`.
  package init?(_ description: String) {
    guard let module = description.split(separator: "/").first else { return nil }
    self.description = String(module)
    FoundationMarks.noteShim(in: [self.description])
  }
}

/// The path of a group's container, for the shim for Linux.
///
/// The shim looks up this class by its name, creates an instance from the group's identifier, and
/// reads the `description`.
package final class CurrentGroupContainer: LosslessStringConvertible {
  /// The absolute path of the group's container.
  package let description: String

  /// Finds the container of the group with this identifier. Returns nil if the app of this task is
  /// not in the group, or if this task has no container. In the second case, reports the call of
  /// the app's code, unless this is a process of the app.
  package init?(_ description: String) {
    guard let container = FakeContainer.taskLocal else {
      guard AppVariables.ownContainer == nil else { return nil }
      OpenContainers.shared.reportLostLookUp(
        "FileManager.containerURL(forSecurityApplicationGroupIdentifier: \"\(description)\")")
      return nil
    }
    guard let url = container.url(ofGroup: description) else { return nil }
    self.description = url.path
  }
}

/// The app's bundle identifier, for the shim for Linux.
///
/// The shim looks up this class by its name, creates an instance from an empty string, and reads
/// the `description`.
package final class CurrentBundleIdentifier: LosslessStringConvertible {
  package let description: String

  /// Finds the bundle identifier of the app whose code this task runs. Returns nil if this task
  /// runs no code of an app.
  package init?(_ description: String) {
    guard let identifier = FakeContainer.taskLocal?.currentIdentifier else { return nil }
    self.description = identifier
  }
}

/// The calls of which the kit has warned in this process, such as `NSHomeDirectory()`.
private let warnedLookUps = Locked<Set<String>>([])

extension OpenContainers {
  /// Reports a call such as `NSHomeDirectory()` on a thread without a container.
  ///
  /// Nothing is reported unless code runs in a container. If only this container is open, its test
  /// fails. If several are open, the kit does not know which test made the call, and records a
  /// warning. A test's own task needs no container, so the calls of this task are not reported.
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
