#if os(macOS) || os(Linux)
import Testing

@testable import BackupRules
@testable import BackupScenarios

/// An app's calls fail where a device refuses them, so that the app's error handling runs.
@Suite(.enabled(if: TapTrial.isTapAvailable, "no call fails there as on a device"))
struct RefusedPlaceAppTests {
  /// Performs steps, and returns the errors, each as `rule step path`.
  private func errors(
    _ steps: String..., system: String = "26"
  ) async throws -> [String] {
    let head = "system: '\(system)', files: { 'tmp/**': 'temporary', '**': 'critical' },"
    let run = try await AppStory(RefusedApp.self, steps.map { "{ \($0) }" }, head: head).run()
    #expect(run.failure == nil)
    return run.findings.filter { $0.severity == .error }
      .map { "\($0.rule) \($0.step.number) \($0.path.map { "\($0)" } ?? "")" }
  }

  /// The keys of a step that creates an item at `place` in a way of `RefusedApp.ways`.
  private func makeStep(_ way: String, at place: String, by action: String = "make") -> String {
    "perform: '\(action)', with: { by: '\(way)', at: '\(place)' }"
  }

  @Test(arguments: RefusedApp.ways.keys.sorted())
  func `an app cannot create an item directly in the container`(way: String) async throws {
    let errors = try await errors(makeStep(way, at: "notes"), "expectFiles: { absent: ['notes'] }")
    #expect(errors.count == 1)
    #expect(errors.first?.hasPrefix("refused-place 1 ") == true, "\(errors)")
    // `createFile` first creates a temporary file, so only that name is known. `mkstemp` chooses a
    // random name.
    let name = way == "createFile" ? ".dat.nosync{any}" : "notes"
    if way != "mkstemp" { #expect(errors.first?.hasSuffix(" \(name)") == true, "\(errors)") }
  }

  @Test(arguments: ["write", "createDirectory"])
  func `no iOS version lets an app create an item in the Inbox`(way: String) async throws {
    for system in ["8", "26"] {
      let errors = try await errors(
        "place: 'Documents/Inbox/a', size: 1", makeStep(way, at: "Documents/Inbox/b"),
        system: system)
      #expect(errors == ["refused-place 2 Documents/Inbox/b"], "\(system)")
    }
  }

  @Test func `an app can read and move a file of the Inbox, but not write to it`() async throws {
    let place = "place: 'Documents/Inbox/a', size: 1"
    let append = "perform: 'append', with: { at: 'Documents/Inbox/a' }"
    #expect(try await errors(place, append) == ["refused-place 2 Documents/Inbox/a"])
    #expect(try await errors(place, "perform: 'take', with: { at: 'Documents/Inbox/a' }") == [])
  }

  @Test func `an app that saves elsewhere after a refusal is right`() async throws {
    #expect(
      try await errors(
        makeStep("createDirectory", at: "Downloads", by: "makeSomewhere"),
        "expectFiles: { present: ['Documents/instead'], absent: ['Downloads'] }") == [])
  }

  @Test func `an app that ignores a refusal is wrong`() async throws {
    #expect(
      try await errors(makeStep("createDirectory", at: "Downloads", by: "makeSilently"))
        == ["refused-place 1 Downloads"])
  }

  @Test func `an app that ignores a refusal is wrong even if it first creates the folder`()
    async throws
  {
    let inbox = "Documents/Inbox/a"
    #expect(
      try await errors(makeStep("writeInDirectory", at: inbox, by: "makeSilently"))
        == ["refused-place 1 \(inbox)"])
    #expect(try await errors(makeStep("writeInDirectory", at: inbox, by: "makeSomewhere")) == [])
  }

  @Test func `an app that throws its own error after a refusal is wrong`() async throws {
    #expect(
      try await errors(makeStep("createDirectory", at: "Downloads", by: "makeWithOwnError"))
        == ["refused-place 1 Downloads"])
  }

  @Test func `a step that expects a refusal is right`() async throws {
    #expect(
      try await errors(makeStep("write", at: "notes") + ", throws: true") == [])
  }

  @Test func `up to iOS 8, an app may save directly in its container`() async throws {
    #expect(
      try await errors(
        makeStep("write", at: "notes"), "expectFiles: { present: ['notes'] }", system: "8") == [])
  }

  @Test func `directories of Apple's frameworks can be created in the container`() async throws {
    func make(_ name: String) -> String { makeStep("createDirectory", at: name) }
    #expect(
      try await errors(
        make("GeoJSON"), make("StoreKit"), make("CloudKit"), make("SystemData"),
        "expectFiles: { present: ['GeoJSON', 'StoreKit', 'CloudKit', 'SystemData'] }") == [])
  }
}
#endif
