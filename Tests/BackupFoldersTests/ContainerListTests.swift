import BackupFileTree
import Foundation
import TestSupport
import Testing

@testable import BackupFolders

/// `container.list`, which an app writes on a device, beside a real backup.
@Suite struct ListedContainerTests {
  @Test func `the lists are in no comparison, and a record says what differs`() async throws {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    for place in ContainerList.places {
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
    let record = FidelityRecord(comparison, of: try BackupFolder(at: backup.device), kit: "1.2.3")
    #expect(record.kit == "1.2.3")
    #expect(record.date == "2001-01-01")
    #expect(record.agreeing == comparison.agreeing)
    #expect(
      record.leftOut == ["own-mark": 1, "location": 5, "database-sibling": 1])
    #expect(record.disagreements.map(\.path) == ["Documents/list.json"])
    #expect(record.disagreements.first?.predicted == "out: own-mark")
    #expect(record.disagreements.first?.seen == "in")
    #expect(record.disagreements.first?.evidence == "documented")
    #expect(
      try JSONDecoder().decode(FidelityRecord.self, from: Data(try record.json().utf8)) == record)
  }
}
