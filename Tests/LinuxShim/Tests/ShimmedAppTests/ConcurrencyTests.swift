import BackupTesting
import Foundation
import ShimmedApp
import Testing

@Suite struct ConcurrencyTests {
  @Test(arguments: 0..<60)
  func `Parallel tests have a container each`(_ number: Int) async throws {
    try await TestContainer.run { root in
      let home = root.path
      for _ in 0..<5 {
        await Task.yield()
        #expect(try StandardDirectories.answers()["NSHomeDirectory"] == home)
      }
      let file = try DownloadStore().save(Data([UInt8(number)]), as: "same name")
      #expect(file.path.hasPrefix(home + "/"))
      #expect(try Data(contentsOf: file) == Data([UInt8(number)]))
    }
  }

  @Test func `Tasks in one test have a container each`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask {
          try await TestContainer.run { root in
            let files = try await DownloadStore().saveConcurrently(1 + number % 4)
            #expect(files.count == 1 + number % 4)
            for file in files { #expect(file.hasMark && file.path.hasPrefix(root.path + "/")) }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `Child tasks and unstructured tasks share the container`() async throws {
    try await TestContainer.run { root in
      #expect(await StandardDirectories.childHomes() == [root.path, root.path])
      let files = try await DownloadStore().saveConcurrently(20)
      #expect(files.count == 20 && files.allSatisfy(\.hasMark))
    }
  }

  @Test func `The shim reports its module once`() async throws {
    try await TestContainer.run { _ in _ = try DownloadStore().save(Data(), as: "a") }
    #expect(ModuleWithShim.files == ["ShimmedApp/ContainerShim.swift"])
  }

  @Test func `A detached task has no container`() async throws {
    try await TestContainer.run { _ in
      #expect(await StandardDirectories.detachedHome() == NSHomeDirectory())
    }
  }
}
