import BackupContainer
public import BackupDevice
import BackupDiagnostics
public import BackupScenarios
import Foundation
public import Testing

/// Gives each test case a fake container of its own, `FakeContainer.current`.
///
/// It is removed afterwards, unless it is to be kept. Errors that the rules find and that the test
/// has not looked at, as `expectNoFindings()` does, are issues when the test ends.
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

  /// What happens to errors that the rules find and that a test does not look at.
  public enum UnseenFindings: Sendable {
    /// Each is an issue when the test ends.
    case reported
    /// Nothing.
    case ignored
  }

  /// The environment variable that keeps every container when it is set.
  public static let keepVariable = "BACKUP_TESTING_KEEP"

  /// The container of the test that this task runs; nil if a test has none of the trait's.
  @TaskLocal static var container: FakeContainer?

  /// Whether each test of a suite gets a container.
  public var isRecursive: Bool { true }

  /// Makes a container, runs one test case with it, and removes it.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: The case; nil for a suite, which needs no container.
  ///   - function: Runs it.
  /// - Throws: What the test throws, but for an error of the app's code that a rule is about, which
  ///   is an issue at the
  ///   ``BackupContainer/FakeContainer/perform(_:probesMarks:isolation:sourceLocation:_:)`` that
  ///   threw it; `RunError` with the code `.unknownSystem` or `.invalidApp`,
  ///   `.invalidPath` for what is no pattern, or `.containerUnavailable` if no container can be made,
  ///   read or removed.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    try await TestIssue.noting(in: test, testCase) {
      try await provideContainer(for: test, performing: function)
    }
  }

  /// Makes a container, runs a test case with it, and removes it.
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

  /// Removes a container, or says where it stays.
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
  /// What is wrong with an argument is thrown when a test begins: see
  /// ``ContainerTrait/provideScope(for:testCase:performing:)``.
  ///
  /// - Parameters:
  ///   - system: The version of iOS, such as `"18"`; the newest by default.
  ///   - backups: Where backups go; `.off` if the user has switched the app's off.
  ///   - bundleIdentifier: The app's bundle identifier.
  ///   - version: The app's version when it is installed.
  ///   - groups: The identifiers of its groups, each beginning with `group.`; each has a container
  ///     of its own, `url(ofGroup:)`, in paths `group.x:/`.
  ///   - extensions: The bundle identifiers of its extensions, each beginning with the app's and a
  ///     dot; each has a container of its own, `url(ofExtension:)`, in paths
  ///     `com.example.app.widget:/`.
  ///   - files: The classes of the app's files by pattern, relative to the container; the first
  ///     pattern that matches decides.
  ///   - findings: What happens to errors that the test does not look at by `expectNoFindings()` or
  ///     `findings()`; by default each is an issue when the test ends.
  ///   - isKept: Whether the container stays on disk, with its path printed.
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

/// How code that does not link the kit finds the current container: by this class's name.
///
/// The shim for Linux looks up `BackupTesting.CurrentContainer` at run time, makes one from the
/// call that the app's code makes, and reads the description: the container's absolute path. These
/// classes are `package` and not internal, since the optimizer may drop an internal class that no
/// code names.
package final class CurrentContainer: LosslessStringConvertible {
  /// The container's absolute path.
  package let description: String

  /// The current container of this task or, in a process of the app's, the process's own; nil
  /// without one.
  ///
  /// A thread of the app's code that has none though a test runs it is reported: as an error of the
  /// test where no other container is open, else as a warning.
  ///
  /// - Parameter description: What the app's code asks for, such as `NSHomeDirectory()`; empty for
  ///   what is not worth a report.
  package init?(_ description: String) {
    guard let path = FakeContainer.ofTask?.currentLocations.url.path ?? AppVariables.ownContainer
    else {
      OpenContainers.shared.reportLostLookUp(description)
      return nil
    }
    self.description = path
  }
}

/// How the shim for Linux says in which module it is: by this class's name, once in each module.
package final class ModuleWithShim: LosslessStringConvertible {
  /// The module's name.
  package let description: String

  /// Notes a module by the identifier of a file in it, as of `#fileID`.
  package init?(_ description: String) {
    guard let module = description.split(separator: "/").first else { return nil }
    self.description = String(module)
    FoundationMarks.noteShim(in: [self.description])
  }
}

/// How code that does not link the kit finds the container of a group: by this class's name.
///
/// The shim for Linux makes one from the group's identifier, and reads the description: the
/// absolute path of the group's container.
package final class CurrentGroupContainer: LosslessStringConvertible {
  /// The absolute path of the group's container.
  package let description: String

  /// The container of a group that the app of this task is in; nil if it is in no such group.
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

/// How code that does not link the kit finds out what the app is called: by this class's name.
///
/// The shim for Linux makes one from an empty text, and reads the description.
package final class CurrentBundleIdentifier: LosslessStringConvertible {
  package let description: String

  /// The identifier of the app whose code this task runs; nil if it runs no app's code.
  package init?(_ description: String) {
    guard let identifier = FakeContainer.ofTask?.currentIdentifier else { return nil }
    self.description = identifier
  }
}

private let warnedLookUps = Locked<Set<String>>([])

extension OpenContainers {
  /// Reports a look-up on a thread that has no container where it must be of code that a test runs;
  /// a test's own task without a container wants none.
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
