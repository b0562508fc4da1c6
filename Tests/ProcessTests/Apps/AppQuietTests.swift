import BackupTesting
import Foundation
import TestSupport
import Testing

/// Between steps the app stands still, once it is quiet.
struct AppQuietTests {
  @Test(.container) func `what is written soon after an action belongs to it`() async throws {
    let container = try #require(FakeContainer.current)
    let app = try await container.launch(HabitsApp.self)
    try await app.perform("late")
    #expect(try container.scan().contains(try ContainerPath("Documents/late")))
  }

  @Test(.container) func `an endless writer is a warning, and stands still`() async throws {
    let container = try #require(FakeContainer.current)
    let app = try await container.launch(HabitsApp.self)
    let texts = Notes<String>()
    await withKnownIssue(isIntermittent: true) {
      await #expect(throws: Never.self) { try await app.perform("endless") }
    } matching: { issue in
      texts.add(issue.comments.map(\.rawValue).joined())
      return issue.severity == .warning
    }
    #expect(texts.values.joined().contains("is still working one second after"))
    let file = container.url.appendingPathComponent("Documents/endless")
    let first = try container.scan()
    let numbers = try (0..<1000).map { _ in try String(contentsOf: file, encoding: .utf8) }
    #expect(Set(numbers).count == 1)
    #expect(try container.scan() == first)
  }
}
