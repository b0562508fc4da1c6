#if os(macOS) || os(Linux)
import BackupExplorationReports
import BackupTesting
import Foundation
import TestSupport
import Testing

@testable import BackupExploration
@testable import BackupScenarios

/// Exploration kills an extension as it kills an app.
@Suite(.enabled(if: TapTrial.isTapAvailable, "nobody sees there what an app's code changes"))
struct WidgetTests {
  @Test func `a user's file is lost if an extension saves it in place`() async throws {
    let widget = WritingWidgetApp.widget
    let explored = try await AppStory(
      WritingWidgetApp.self,
      [
        "{ perform: 'save', with: { text: 'one' } }",
        "{ perform: 'saveInPlace', with: { text: 'other' }, in: '\(widget)' }", "{ backup: 'b' }",
      ],
      head: """
        app: { groups: ['\(WritingWidgetApp.group)'], extensions: ['\(widget)'] },
        files: { '\(WritingWidgetApp.group):/**': 'critical', '**': 'cached' },
        """
    ).explored()
    #expect(explored.obstacle == nil && explored.counts.crashPoints > 1, "\(explored.text)")
    #expect(explored.counterexamples.map(\.finding.rule) == ["user-data-lost"], "\(explored.text)")
    #expect(explored.hasError)
    #expect(explored.counterexamples.allSatisfy { $0.reproduction == .shown }, "\(explored.text)")
  }
}

/// An app whose widget saves the user's note too.
enum WritingWidgetApp: AppUnderTest {
  static let group = "group.com.example.app"
  static let widget = "com.example.app.widget"

  private static func save(_ action: ActionCall, _ options: Data.WritingOptions) throws {
    guard let folder = action.container.group(group) else { throw CocoaError(.fileNoSuchFile) }
    let text: String = try action.argument("text")
    try Data(text.utf8).write(to: folder.appendingPathComponent("note"), options: options)
  }

  static let actions: AppActions = [
    "save": { action in try save(action, .atomic) },
    "saveInPlace": { action in try save(action, []) },
  ]
}
#endif
