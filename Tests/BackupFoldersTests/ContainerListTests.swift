import BackupDevice
import BackupFileTree
import BackupReports
import Foundation
import TestSupport
import Testing

@testable import BackupFolders

/// `container.list`, which an app writes on a device, beside a real backup.
@Suite struct ListedContainerTests {
  @Test func `the lists are in no comparison`() async throws {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    for place in ContainerList.allPaths {
      try ManifestEditing.add(
        BackupRecord(.file(size: 1)), at: place.description, in: backup.domains[0],
        of: "\(backup.device)/Manifest.db")
    }
    #expect(try backup.comparison().isClean)
    var tree = backup.tree
    tree.insert(
      FileTree.Item(.file(FileTree.FileInformation(size: 1))), at: ContainerList.place)
    let list = try ContainerPath("Documents/list.json")
    tree.modify(list) { $0.marks = .resourceValue }
    let comparison = try backup.comparison(with: tree)
    #expect(comparison.leftOut.map(\.path).contains(ContainerList.place) == false)
    #expect(comparison.differences.map(\.path) == [list])
  }
}
