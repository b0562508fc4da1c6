package import BackupDevice
package import BackupDiagnostics
package import BackupFileTree

/// A run without a disk, step by step: a value, so that a copy of it goes its own way.
///
/// Code of the app's own needs a disk, and so do containers and backups that a scenario names.
package struct StoryRun: Sendable {
  /// The run.
  private var run: ScenarioRun

  /// A run that has yet to begin.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - variant: The system and backup kind.
  ///   - device: The functions that act for the system.
  /// - Throws: ``RunError`` where there is no such system.
  package init(
    _ scenario: Scenario, _ variant: Scenario.Variant, device: RunBehaviour = .standard
  ) throws(RunError) {
    guard var profile = device.profile(variant.system) else {
      throw RunError(.unknownSystem, "there is no profile of iOS \(variant.system)")
    }
    profile.guidance = scenario.guidance
    let layout = profile.layout(of: scenario.app)
    self.run = ScenarioRun(
      scenario, variant, profile: profile, device: device, host: GuestHost(AppActions()),
      disk: ModelDisk(), firstTree: layout.tree, firstStep: scenario.firstStep)
  }

  /// What happened so far.
  package var transcript: Transcript { run.transcript }

  /// What happened so far, as of a run that is not at its end.
  package var unfinished: Transcript {
    var transcript = run.transcript
    transcript.failure = Transcript.Failure(step: run.currentStep, message: "not at its end")
    return transcript
  }

  /// The version of the app.
  package var appVersion: String { run.appVersion }

  /// The system now.
  package var system: SystemVersion { run.profile.version }

  /// Does a step, unless it is for other systems.
  ///
  /// - Parameter step: A step of the scenario, or of one like it.
  /// - Throws: ``StoryEnd`` where it fails in a way that it does not say.
  package mutating func perform(_ step: Scenario.Step) async throws(StoryEnd) {
    do throws(StepFailure) {
      try await run.run(step)
    } catch {
      throw StoryEnd(step: run.currentStep, message: error.description)
    }
  }

  /// The changes to the file system that the app makes in a step, its launch included.
  ///
  /// - Parameter step: The step, which is done on a copy.
  /// - Returns: The changes, in order, until the step fails.
  package func changes(in step: Scenario.Step) async -> [Scenario.KillPoint] {
    var trial = run
    trial.changeLog = ChangeLog()
    _ = try? await trial.run(step)
    return trial.changeLog?.points ?? []
  }

  /// Goes to the end of the story.
  package mutating func end() { run.noteStaleLinks() }

  /// What all that comes depends on, as far as a run knows it.
  package var state: State {
    State(
      tree: run.transcript.lastTree, contents: run.transcript.lastTree.contentsSums,
      system: run.profile.version, appVersion: run.appVersion, isAppRunning: run.isAppRunning,
      isOffloaded: run.isOffloaded, isKeychainKept: run.keychain == .kept,
      hasRunInContainer: run.hasRunInContainer, hasMoved: run.disk.hasMoved,
      backups: run.backups.mapValues { $0.backup.tree })
  }

  /// Two runs in the same state go on alike.
  package struct State: Hashable, Sendable {
    /// What the container holds.
    let tree: FileTree
    /// What tells its files' contents from others.
    let contents: [ContentsSum]
    /// The system.
    let system: SystemVersion
    /// The app's version.
    let appVersion: String
    /// Whether the app runs.
    let isAppRunning: Bool
    /// Whether it is off the device.
    let isOffloaded: Bool
    /// Whether its keychain is there.
    let isKeychainKept: Bool
    /// Whether it has run in this container.
    let hasRunInContainer: Bool
    /// Whether it had others before.
    let hasMoved: Bool
    /// What the container held when each backup was taken.
    let backups: [String: FileTree]
  }
}

/// Why a story does not go on.
package struct StoryEnd: Error, Sendable {
  /// The step that failed.
  package let step: Scenario.StepReference
  /// Why.
  package let message: String
}

extension FileTree {
  /// What tells the contents of its files from others, in the order of the paths.
  fileprivate var contentsSums: [ContentsSum] {
    var sums: [ContentsSum] = []
    walk { _, item in
      if case .file(let information) = item.kind { sums.append(information.contents) }
      return true
    }
    return sums
  }
}

extension StoryEnd {
  /// A story that ends for a reason of its teller's.
  package init(at step: Scenario.StepReference, _ message: String) {
    self.init(step: step, message: message)
  }
}
