import BackupFileTree
import Testing
import TrialSupport

@testable import BackupScenarios

/// Steps that an extension of the app performs.
@Suite struct ExtensionStepTests {
  private static let widget = "com.example.app.widget"
  private let app =
    "app: { groups: ['group.x'], extensions: ['\(widget)', 'com.example.app.share'] }"

  @Test func `steps of an extension start no app, and have their own defaults`() async throws {
    let transcript = try await Trial.transcript(
      [
        "{ setDefault: { a: 1 }, in: '\(Self.widget)' }",
        "{ readDefault: 'a', expect: 1, in: '\(Self.widget)' }",
        "{ setDefault: { a: 2 }, suite: 'group.x', in: '\(Self.widget)' }",
        "{ expectFiles: { absent: ['Documents/started', 'Library/Preferences/*.plist'] } }",
        "{ readDefault: 'a', expect: 2, suite: 'group.x' }",
        "{ readDefault: 'a', expect: null }",
        "{ expectFiles: { present: ['Documents/started'] } }",
      ], "\(app), launch: [{ save: 'Documents/started', size: 1 }]")
    #expect(transcript.failure == nil)
    for path in [
      "\(Self.widget):/Library/Preferences/\(Self.widget).plist",
      "group.x:/Library/Preferences/group.x.plist",
    ] {
      #expect(transcript.lastTree.contains(try ContainerPath(path)))
    }
    #expect(
      transcript.entries.filter(\.isOfExtension).map(\.step.summary)
        .contains("setDefault a in \(Self.widget)"))
  }

  @Test func `steps of an extension need the app on the device`() {
    let mistakes = Trial.mistakes(
      in: """
        { title: 'T', \(app), steps: [{ offload: {} },
          { save: 'group.x:/a', size: 1, in: '\(Self.widget)' }] }
        """)
    #expect(mistakes.count == 1 && mistakes[0].contains(StepKind.missingAppMessage))
  }

  @Test func `a kill of an extension does not end the app`() async throws {
    let transcript = try await Trial.transcript(
      [
        "{ save: 'Documents/a', size: 1 }",
        "{ save: 'group.x:/a', size: 1, in: '\(Self.widget)', killed: { before: 'rename' } }",
        "{ save: 'Documents/a', size: 2 }",
      ], app)
    #expect(transcript.failure == nil)
    let launches = transcript.entries.count { if case .launch = $0.event { true } else { false } }
    #expect(launches == 1)
  }

  @Test(
    arguments: [
      ("save: 'Documents/a', size: 1", "Documents/a"),
      ("copy: 'group.x:/a', to: 'tmp/a'", "tmp/a"),
      ("remove: 'com.example.app.share:/a'", "com.example.app.share:/a"),
    ])
  func `steps of an extension are mistakes if they name a path out of its reach`(
    step: String, path: String
  ) {
    let mistakes = Trial.mistakes(
      in: "{ title: 'T', \(app),\nsteps: [{ \(step), in: '\(Self.widget)' }] }")
    let column = "steps: [{ \(step)".ranges(of: "'\(path)'").first?.lowerBound.utf16Offset(
      in: "steps: [{ \(step)")
    #expect(mistakes.count == 1)
    #expect(mistakes.first?.hasPrefix("2:\((column ?? 0) + 1)") == true, "\(mistakes)")
    #expect(mistakes.first?.contains("cannot reach '\(path)'") == true)
  }
}
