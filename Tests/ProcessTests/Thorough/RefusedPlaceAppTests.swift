#if os(macOS) || os(Linux)
import Testing

@testable import BackupRules
@testable import BackupScenarios

/// An app's calls fail where a device refuses them, so that its own handling of errors runs.
@Suite(.enabled(if: TapTrial.isThere, "no call fails there as on a device"))
struct RefusedPlaceAppTests {
  /// What is found, with what the run's end holds.
  private func found(
    _ steps: String..., system: String = "26"
  ) async throws -> [String] {
    let head = "system: '\(system)', files: { 'tmp/**': 'temporary', '**': 'critical' },"
    let run = try await AppStory(RefusedApp.self, steps.map { "{ \($0) }" }, head: head).run()
    #expect(run.failure == nil)
    return run.findings.filter { $0.severity == .error }
      .map { "\($0.rule) \($0.step.number) \($0.path.map { "\($0)" } ?? "")" }
  }

  private func making(_ way: String, at place: String, by action: String = "make") -> String {
    "perform: '\(action)', with: { by: '\(way)', at: '\(place)' }"
  }

  @Test(arguments: RefusedApp.ways.keys.sorted())
  func `nothing is made right in the container`(way: String) async throws {
    let found = try await found(making(way, at: "notes"), "expectFiles: { absent: ['notes'] }")
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("refused-place 1 ") == true, "\(found)")
    // Only a temporary file's name is known then; that of mkstemp is random.
    let name = way == "createFile" ? ".dat.nosync{any}" : "notes"
    if way != "mkstemp" { #expect(found.first?.hasSuffix(" \(name)") == true, "\(found)") }
  }

  @Test(arguments: ["write", "writeAtomically", "createDirectory", "copy", "open"])
  func `nothing is made in the Inbox, on no system`(way: String) async throws {
    for system in ["8", "26"] {
      let found = try await found(
        "place: 'Documents/Inbox/a', size: 1", making(way, at: "Documents/Inbox/b"),
        system: system)
      #expect(found == ["refused-place 2 Documents/Inbox/b"], "\(system)")
    }
  }

  @Test func `what is in the Inbox can be read and taken, and not written to`() async throws {
    let place = "place: 'Documents/Inbox/a', size: 1"
    let append = "perform: 'append', with: { at: 'Documents/Inbox/a' }"
    #expect(try await found(place, append) == ["refused-place 2 Documents/Inbox/a"])
    #expect(try await found(place, "perform: 'take', with: { at: 'Documents/Inbox/a' }") == [])
  }

  @Test func `an app that saves elsewhere when it is refused is right`() async throws {
    #expect(
      try await found(
        making("createDirectory", at: "Downloads", by: "makeSomewhere"),
        "expectFiles: { present: ['Documents/instead'], absent: ['Downloads'] }") == [])
  }

  @Test func `an app that does not notice it is wrong`() async throws {
    #expect(
      try await found(making("createDirectory", at: "Downloads", by: "makeSilently"))
        == ["refused-place 1 Downloads"])
  }

  @Test func `a folder that is made for it is no notice, and does not keep it`() async throws {
    let inbox = "Documents/Inbox/a"
    #expect(
      try await found(making("writeInDirectory", at: inbox, by: "makeSilently"))
        == ["refused-place 1 \(inbox)"])
    #expect(try await found(making("writeInDirectory", at: inbox, by: "makeSomewhere")) == [])
  }

  @Test func `an error of the app's own is put down to it`() async throws {
    #expect(
      try await found(making("createDirectory", at: "Downloads", by: "makeWithOwnError"))
        == ["refused-place 1 Downloads"])
  }

  @Test func `a step that expects it is right`() async throws {
    #expect(
      try await found(making("write", at: "notes") + ", throws: true") == [])
  }

  @Test func `up to iOS 8 an app may save right in its container`() async throws {
    #expect(
      try await found(
        making("write", at: "notes"), "expectFiles: { present: ['notes'] }", system: "8") == [])
  }

  @Test(arguments: ["GeoJSON", "StoreKit", "CloudKit", "SystemData"])
  func `what Apple's frameworks make there is made`(name: String) async throws {
    #expect(
      try await found(
        making("createDirectory", at: name), "expectFiles: { present: ['\(name)'] }") == [])
  }
}
#endif
