#if os(macOS) || os(Linux)
import BackupExplorationReports
import BackupTesting
import Testing

@testable import BackupExploration
@testable import BackupScenarios
extension CheckedAppTests {
  @Test func `exploration runs the check at each launch, after repairs by the app`()
    async throws
  {
    let wrong = try await AppStory(CheckedApp.self, [Self.add], head: Self.head).explored()
    #expect(wrong.counterexamples.map(\.finding.rule) == ["app-check-failed"], "\(wrong.text)")
    let right = try await AppStory(RepairingApp.self, [Self.add], head: Self.head).explored()
    #expect(right.counterexamples.isEmpty && right.obstacle == nil, "\(right.text)")
  }

  @Test func `exploration runs the check at the end too`() async throws {
    let explored = try await AppStory(DoublingApp.self, [Self.add], head: Self.head).explored()
    #expect(
      explored.counterexamples.map(\.finding.rule) == ["app-check-failed"], "\(explored.text)")
  }

  @Test
  func `a torn file is only a warning if the app's check passes`()
    async throws
  {
    let head = "files: { 'Documents/**': 'critical' },"
    let save = "{ perform: 'save' }"
    let explored = try await AppStory(TwoSlotsApp.self, [save, save], head: head).explored()
    let found = explored.counterexamples.map(\.finding)
    #expect(Set(found.map(\.rule)) == ["user-data-lost"] && !explored.hasError, "\(explored.text)")
    #expect(found.allSatisfy { $0.message.hasSuffix("but the app's check passes") })
  }
}
#endif
