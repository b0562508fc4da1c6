import BackupFileTree
import BackupScenarios
import Testing
import TrialSupport

@testable import BackupExploration
@testable import BackupExplorationReports

/// A report lists the app's changes around a kill in lines. Some lines stand for several changes.
@Suite struct ChangeGroupTests {
  @Test func `an atomic save is one line, even if it sets an attribute`() throws {
    let file = try ContainerPath("Documents/a")
    let temporary = try ContainerPath("Documents/.dat.nosync0.save")
    let points = [
      (FileChange.Kind.create, temporary), (.write, temporary), (.mark, temporary), (.rename, file),
      (.mark, file), (.create, temporary), (.write, temporary), (.remove, temporary),
    ].map { Scenario.InterruptionPoint(kind: $0.0, path: $0.1) }
    #expect(Counterexample.groups(of: points) == [0..<4, 4..<5, 5..<6, 6..<7, 7..<8])
  }
}
