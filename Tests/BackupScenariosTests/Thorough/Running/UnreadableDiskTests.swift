import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import Testing
import TrialSupport

@testable import BackupScenarios

/// If the machine does not let the kit read a file, the run ends with a machine fault. The app is
/// not blamed.
@Suite struct UnreadableDiskTests {
  /// A disk on which the machine lets the kit read no file.
  private struct UnreadableDisk: RunDisk {
    private var disk = ModelDisk()

    var container: FakeContainer? { nil }

    func scan(expecting tree: FileTree) -> FileTree { tree }

    mutating func apply(
      _ operation: FileOperation, in tree: FileTree
    ) throws(FileOperation.Failure) {
      try disk.apply(operation, in: tree)
    }

    mutating func apply(_ change: FileChange, in tree: FileTree) throws(FileOperation.Failure) {
      try disk.apply(change, in: tree)
    }

    func makeLinkAbsolute(
      _ link: ContainerPath, _ destination: ContainerPath, afterMoves moveCount: Int
    ) throws(RunError) -> [UInt8] {
      try disk.makeLinkAbsolute(link, destination, afterMoves: moveCount)
    }

    func bytes(of path: ContainerPath, in tree: FileTree) throws(RunError) -> [UInt8]? {
      throw RunError(unavailablePath: "\(path)", reason: "too many files", isMachineFault: true)
    }

    func saved() -> any RunDisk { self }

    func goBack() {}

    func formerContainerPath(of absolute: String, afterMoves moveCount: Int) -> ContainerPath? {
      nil
    }
  }

  /// Returns a run in a container with the app's defaults. The first step replaces the defaults,
  /// and the second reads them.
  private func run() throws -> (run: ScenarioRun, steps: [Scenario.Step]) {
    let scenario = try Trial.scenario([
      "{ save: 'Library/Preferences/com.example.app.plist', size: 1 }", "{ readDefault: 'a' }",
    ])
    let variant = scenario.variants[0]
    let profile = try Simulators.standard.profile(of: scenario, variant)
    var tree = profile.layout(of: scenario.app).tree
    let file = try #require(scenario.app.preferencesPath())
    tree.ensureDirectory(try #require(file.parent))
    tree.insert(FileTree.Item(.file(.init(size: 2))), at: file)
    let run = ScenarioRun(
      scenario, variant, profile: profile, by: ScenarioRunner(), disk: UnreadableDisk(),
      firstTree: tree, firstStep: scenario.firstStep)
    return (run, scenario.steps)
  }

  @Test func `a step that sets defaults which cannot be read ends the run`() async throws {
    var (run, steps) = try run()
    let failure = await #expect(throws: Transcript.Failure.self) { try await run.perform(steps[0]) }
    #expect(failure?.outcome == .machineFault)
  }

  @Test func `a trial that cannot be completed is a machine fault`()
    async throws
  {
    var (run, steps) = try run()
    let failures = [
      await #expect(throws: Transcript.Failure.self) { try await run.crashPoints(in: steps[0]) },
      await #expect(throws: Transcript.Failure.self) { try await run.canPerform(steps) },
      await #expect(throws: Transcript.Failure.self) { try await run.planActivity(of: [steps[1]]) },
    ]
    #expect(failures.map(\.?.outcome) == [.machineFault, .machineFault, .machineFault])
  }
}
