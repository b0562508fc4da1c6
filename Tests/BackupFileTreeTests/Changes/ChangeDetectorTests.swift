import Testing
import TreeSupport

@testable import BackupFileTree

/// The changes between two scans of a container.
@Suite struct ChangeDetectorTests {
  @Test func `nothing happened to the same items`() {
    let items: KeyValuePairs<ContainerPath, FileTree.Item> = [
      "D": .directory(1), "D/a": .file(2, .resourceValue), "l": .link("D", inode: 9),
    ]
    #expect(changes(items, items).isEmpty)
  }

  @Test func `a file of another size or date was saved in place`() {
    #expect(changes(["a": .file(1)], ["a": .file(1, size: 2)]) == [.savedInPlace("a")])
    #expect(changes(["a": .file(1)], ["a": .file(1, modified: 2)]) == [.savedInPlace("a")])
    #expect(changes(["a": .file(1, modified: 2)], ["a": .file(1)]) == [.savedInPlace("a")])
  }

  @Test func `a directory is never saved`() {
    var later = FileTree.Item.directory(1)
    later.observation.modified = 99
    #expect(changes(["D": .directory(1)], ["D": later]).isEmpty)
  }

  @Test func `an item without a stamp was created, or replaced another`() {
    #expect(changes([:], ["a": .file(0)]) == [.created("a")])
    #expect(changes(["a": .file(1)], ["a": .file(0)]) == [.replaced("a")])
    #expect(changes(["a": .file(1)], ["a": .directory(0)]) == [.replaced("a")])
  }

  @Test func `the inode number of an item that is gone says nothing`() {
    #expect(changes(["a": .file(1)], ["a": .file(0, inode: 1)]) == [.replaced("a")])
    #expect(changes(["a": .file(1)], ["b": .file(0, inode: 1)]) == [.created("b"), .removed("a")])
  }

  @Test func `an item with an unknown stamp is a new item`() {
    #expect(changes([:], ["a": .file(77)]) == [.created("a")])
  }

  @Test func `only the topmost removed item is named`() {
    let before: KeyValuePairs<ContainerPath, FileTree.Item> = [
      "D": .directory(1), "D/E": .directory(2), "D/E/a": .file(3), "D/b": .file(4),
    ]
    #expect(changes(before, [:]) == [.removed("D")])
    #expect(
      changes(before, ["D": .directory(1), "D/b": .file(4)]) == [.removed("D/E")])
  }

  @Test func `a change of marks is a change of its own`() {
    #expect(
      changes(["a": .file(1)], ["a": .file(1, .resourceValue)]) == [.marked("a", .resourceValue)])
    #expect(
      changes(["a": .file(1, .resourceValue)], ["a": .file(1, .extendedAttribute)])
        == [.cleared("a", .resourceValue), .marked("a", .extendedAttribute)])
    #expect(
      changes([:], ["D": .directory(0, .resourceValue)])
        == [.created("D"), .marked("D", .resourceValue)])
  }

  @Test func `a mark that was lost with a replaced item was not cleared`() {
    #expect(changes(["a": .file(1, .resourceValue)], ["a": .file(0)]) == [.replaced("a")])
    #expect(
      changes(["a": .file(1, .resourceValue)], ["a": .file(0, .resourceValue)])
        == [.replaced("a"), .marked("a", .resourceValue)])
  }

  @Test func `an item that has become unreadable was neither saved nor cleared nor removed`() {
    let before: KeyValuePairs<ContainerPath, FileTree.Item> = [
      "D": .directory(1, .resourceValue), "D/a": .file(2), "b": .file(3, .resourceValue),
    ]
    let after: KeyValuePairs<ContainerPath, FileTree.Item> = [
      "D": .unreadable(inode: 1), "b": .unreadable(inode: 3),
    ]
    #expect(changes(before, after).isEmpty)
    #expect(changes(["b": .unreadable(inode: 3)], ["b": .file(3, .resourceValue)]).isEmpty)
    #expect(changes(["b": .file(3)], ["b": .unreadable(inode: 4)]) == [.replaced("b")])
  }
}

/// Links are identified by their path and inode number.
@Suite struct LinkChangeTests {
  @Test func `a link that points elsewhere was replaced`() {
    #expect(
      changes(["l": .link("a", inode: 1)], ["l": .link("b", inode: 1)]) == [.replaced("l")])
    #expect(
      changes(["l": .link("a", inode: 1)], ["l": .link("a", inode: 2)]) == [.replaced("l")])
  }

  @Test func `a link became a file, and a file a link`() {
    #expect(changes(["l": .link("a", inode: 1)], ["l": .file(0)]) == [.replaced("l")])
    #expect(changes(["l": .file(1)], ["l": .link("a", inode: 1)]) == [.replaced("l")])
  }

  @Test func `a link moves with its directory`() {
    let before: KeyValuePairs<ContainerPath, FileTree.Item> = [
      "D": .directory(1), "D/l": .link("a", inode: 2),
    ]
    let after: KeyValuePairs<ContainerPath, FileTree.Item> = [
      "E": .directory(1), "E/l": .link("a", inode: 2),
    ]
    #expect(changes(before, after) == [.moved("D", to: "E")])
  }

  @Test func `two hard links stay two paths of one file`() {
    let before: KeyValuePairs<ContainerPath, FileTree.Item> = ["a": .file(1), "b": .file(1)]
    #expect(changes(before, before).isEmpty)
    #expect(
      changes(before, ["a": .file(1, size: 9), "b": .file(1, size: 9)])
        == [.savedInPlace("a"), .savedInPlace("b")])
    #expect(changes(["a": .file(1)], before) == [.copied("a", to: "b")])
    #expect(changes(before, ["b": .file(1)]) == [.removed("a")])
  }
}
