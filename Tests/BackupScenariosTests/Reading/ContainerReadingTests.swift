import Testing
import TrialSupport

@testable import BackupScenarios

@Suite struct `Containers that a scenario names` {
  /// Returns the mistakes in a scenario with this app and these steps.
  private func mistakes(_ app: String, _ other: String) -> [String] {
    Trial.mistakes(in: "{ title: 'T', \(app), \(other) }").map {
      $0.split(separator: " ", maxSplits: 1).last.map(String.init) ?? ""
    }
  }

  private let app = "app: { groups: ['group.x'] }"

  @Test(arguments: [
    "steps: [{ save: 'group.x:/a', size: 1 }]", "steps: [{ move: 'a', to: 'group.x:/b' }]",
    "steps: [{ exclude: 'group.x:' }]", "steps: [], files: { '*:/**': 'critical' }",
    "steps: [], budget: { 'group.*:/**': 1 }", "steps: [{ purge: ['group.x:/Library/Caches/*'] }]",
  ])
  func `are accepted if the app has them`(other: String) {
    #expect(mistakes(app, other) == [])
  }

  @Test(arguments: [
    "steps: [{ save: 'group.y:/a', size: 1 }]", "steps: [{ move: 'a', to: 'group.y:/b' }]",
    "steps: [{ expectFiles: { absent: ['group.y:/**'] } }]",
    "steps: [], storage: { 'group.y:/**': 1 }",
    "steps: [], expect: [{ rule: 'misplaced-item', path: 'group.y:/a' }]",
    "steps: [], golden: { sizes: ['group.y:/a'] }",
  ])
  func `are mistakes if the app has others`(other: String) {
    #expect(
      mistakes(app, other) == [
        "there is no container 'group.y:'; did you mean 'group.x:'? If not, also write app: { "
          + "groups: [\"group.y\"] }"
      ])
  }

  @Test func `are mistakes that say what to write if the app has none`() {
    #expect(
      mistakes("app: {}", "steps: [{ save: 'com.a.b:/a', size: 1 }]") == [
        "there is no container 'com.a.b:'; write app: { extensions: [\"com.a.b\"] }"
      ])
    #expect(
      mistakes("app: {}", "steps: [], files: { '*:/**': 'cached' }") == [
        "there is no container '*:'; the app has no groups and no extensions"
      ])
  }

  @Test(arguments: [":", "notes:"])
  func `with an invalid identifier get other advice`(name: String) {
    #expect(
      mistakes("app: {}", "steps: [{ save: '\(name)/a', size: 1 }]") == [
        "there is no container '\(name)'; write the identifier of a group or an extension before "
          + "the colon, as in 'group.com.example.app:/a'"
      ])
  }

  @Test(arguments: [
    "steps: [{ save: 'com.example.app:/a', size: 1 }]",
    "steps: [{ perform: 'a', in: 'com.example.app' }]",
  ])
  func `cannot be the app's own container`(other: String) {
    #expect(
      mistakes("app: { extensions: ['com.example.app.w'] }", other) == [
        "there is no container 'com.example.app:'; the app's own container has no "
          + "prefix: remove it"
      ])
  }

  @Test func `of an extension begin with the app's identifier`() {
    #expect(mistakes("app: { extensions: ['com.example.app.w'] }", "steps: []") == [])
    #expect(
      mistakes("app: { extensions: ['com.other.w'] }", "steps: []") == [
        "'com.other.w' is not an extension's bundle identifier; expected the app's identifier, a "
          + "dot and a name, such as \"com.example.app.widget\""
      ])
  }

  @Test func `may be purged or lost only in the places of their kind`() {
    #expect(mistakes(app, "steps: [{ purge: ['group.x:/tmp/*'] }]").count == 1)
    #expect(mistakes(app, "steps: [{ updateApp: '2', losing: ['group.x:/a'] }]").count == 1)
  }
}
