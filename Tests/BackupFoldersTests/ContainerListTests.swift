import BackupDevice
import BackupFileTree
import BackupReports
import Foundation
import TestSupport
import Testing

@testable import BackupFolders

/// Lists of items, such as `container.list`, which an app writes on a device and a backup contains.
@Suite struct ListedContainerTests {
  @Test func `a comparison with a backup ignores the lists`() async throws {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    for place in ContainerList.allPaths {
      try ManifestEditing.add(
        BackupRecord(.file(size: 1)), at: place.description, in: backup.domains[0],
        of: "\(backup.device)/Manifest.db")
    }
    #expect(try backup.comparison().isClean)
    var tree = backup.tree
    tree.insert(
      FileTree.Item(.file(FileTree.FileInformation(size: 1))), at: ContainerList.firstListPath)
    let list = try ContainerPath("Documents/list.json")
    tree.modify(list) { $0.marks = .resourceValue }
    let comparison = try backup.comparison(with: tree)
    #expect(
      comparison.predictedExclusions.map(\.path).contains(ContainerList.firstListPath) == false)
    #expect(comparison.differences.map(\.path) == [list])
  }
}
