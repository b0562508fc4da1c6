import BackupFileTree
import BackupScenarios
import Testing
import TrialSupport

@testable import BackupExploration
@testable import BackupExplorationReports

/// The lines in which a report lists the changes around a kill.
@Suite struct ChangeGroupTests {
  @Test func `an atomic save is one line, with an attribute that it sets`() throws {
    let file = try ContainerPath("Documents/a")
    let temporary = try ContainerPath("Documents/.dat.nosync0.save")
    let points = [
      (FileChange.Kind.create, temporary), (.write, temporary), (.mark, temporary), (.rename, file),
      (.mark, file), (.create, temporary), (.write, temporary), (.remove, temporary),
    ].map { Scenario.KillPoint(kind: $0.0, path: $0.1) }
    #expect(Counterexample.groups(of: points) == [0..<4, 4..<5, 5..<6, 6..<7, 7..<8])
  }
}
