import BackupTesting
import Foundation
import TestSupport
import Testing

@testable import BackupContainer
@testable import BackupFileTree
@testable import BackupRules
@testable import BackupScenarios

@Suite struct ActionCallTests {
  /// A view model on the main actor.
  @MainActor private final class Model {
    var saved: [String] = []

    func save(_ name: String, in container: FakeContainer) async throws {
      MainActor.assertIsolated()
      saved.append(name)
      await Task.yield()
      try Data(name.utf8).write(to: container.documents.appendingPathComponent(name))
    }
  }

  /// Returns the files in Documents at the end of a run.
  private func documents(_ run: ActionRun) -> [String] {
    run.transcript.lastTree.paths.map(\.description).filter { $0.hasPrefix("Documents/") }
  }

  @Test func `an action gets the current version and the current number of launches`() async throws
  {
    let seenCalls = CollectedValues<String>()
    let run = try await ActionRun(
      [
        "{ perform: 'see' }", "{ perform: 'see' }", "{ relaunch: {} }", "{ perform: 'see' }",
        "{ updateApp: '2.5' }", "{ perform: 'see' }", "{ purge: 'lowStorage' }",
        "{ perform: 'see' }",
      ],
      actions: ["see": { seenCalls.add("\($0.name) \($0.appVersion) \($0.launchCount)") }])
    #expect(run.failure == nil)
    #expect(seenCalls.values == ["see 1.0 1", "see 1.0 1", "see 1.0 2", "see 2.5 3", "see 2.5 4"])
  }

  @Test func `main actor code runs on the main actor`() async throws {
    let model = Model()
    var actions = AppActions()
    actions.bind("save") { @MainActor action in
      try await model.save(try action.argument("name"), in: action.fake)
    }
    let run = try await ActionRun(
      ["{ perform: 'save', with: { name: 'a' } }", "{ perform: 'save', with: { name: 'b' } }"],
      actions: actions)
    #expect(run.failure == nil)
    #expect(documents(run) == ["Documents/a", "Documents/b"])
    #expect(await model.saved == ["a", "b"])
  }

  @Test func `the kit waits for child tasks, which have the container`() async throws {
    let run = try await ActionRun(
      ["{ perform: 'save' }"],
      actions: [
        "save": { action in
          #expect(FakeContainer.taskLocal?.url == action.container.url)
          try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
              group.addTask {
                let container = try FakeContainer.current
                let file = container.documents.appendingPathComponent("\(number)")
                try Data([1]).write(to: file)
              }
            }
            try await group.waitForAll()
          }
        }
      ])
    #expect(run.failure == nil)
    #expect(documents(run).count == 20)
    #expect(FakeContainer.taskLocal == nil)
  }

  @Test func `ten runs at once work in ten containers, which are removed`() async throws {
    let urls = CollectedValues<URL>()
    let actions: AppActions = [
      "save": { action in
        urls.add(action.container.url)
        try Data([1]).write(
          to: action.container.documents.appendingPathComponent(UUID().uuidString))
        await Task.yield()
        #expect(FakeContainer.taskLocal?.url == action.container.url)
      }
    ]
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<10 {
        group.addTask {
          let run = try await ActionRun(
            ["{ perform: 'save' }", "{ perform: 'save' }"], actions: actions)
          return run.transcript.lastTree.paths.count { $0.description.hasPrefix("Documents/") }
        }
      }
      for try await count in group { #expect(count == 2) }
    }
    #expect(Set(urls.values).count == 10)
    for url in Set(urls.values) {
      #expect(!FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path))
    }
  }

  @Test func `bindings are named, replaced and written as a literal`() {
    var actions: AppActions = ["b": { _ in }, "a": { _ in }]
    actions.bind("b", probesMarks: false) { _ in }
    #expect(actions.names == ["a", "b"])
    #expect(AppActions().names.isEmpty)
  }

  @Test func `an item with the extended attribute is probed like any other`() async throws {
    let run = try await ActionRun(
      [
        "{ save: 'Library/com.example.app.dat', size: 10 }",
        "{ exclude: 'Library/com.example.app.dat', using: 'extendedAttribute' }",
        "{ perform: 'append' }", "{ backup: 'one' }",
      ],
      actions: [
        "append": { action in
          let file = action.container.library.appendingPathComponent("com.example.app.dat")
          let handle = try FileHandle(forWritingTo: file)
          try handle.write(contentsOf: Data([1]))
          try handle.close()
        }
      ], head: "system: '5.0.1',")
    #expect(run.failure == nil)
    #expect(run.broken == ["reapply-on-save:4"])
  }

  @Test func `a marked file saved after its directory was moved has to be marked again`()
    async throws
  {
    let run = try await ActionRun(
      ["{ perform: 'first' }", "{ perform: 'second' }", "{ backup: 'one' }"],
      actions: [
        "first": { action in
          let folder = action.container.library.appendingPathComponent("com.example.app")
          try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
          try Data([1]).write(to: folder.appendingPathComponent("a"))
          try folder.appendingPathComponent("a").excludeFromBackup()
        },
        "second": { action in
          let library = action.container.library
          let folder = library.appendingPathComponent("com.example.app.2")
          try FileManager.default.moveItem(
            at: library.appendingPathComponent("com.example.app"), to: folder)
          try Data([2]).write(to: folder.appendingPathComponent("a"), options: .atomic)
        },
      ])
    #expect(run.broken == ["reapply-on-save:3"])
    #expect(run.findings.first?.path?.description == "Library/com.example.app.2/a")
  }
}
