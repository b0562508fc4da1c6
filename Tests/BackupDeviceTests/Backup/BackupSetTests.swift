import BackupDevice
import BackupFileTree
import Testing

/// The counts, decisions and reasons in a backup set.
@Suite struct BackupSetTests {
  @Test func `decisions come in the order of a walk, one for every item`() throws {
    let tree = try FileTree.app.with(files: "Documents/a/x", "Documents/a-b", "tmp/y")
    let set = try tree.backedUp()
    #expect(set.decisions.map(\.path) == tree.paths)
    #expect(set.included.count + set.leftOut.count == set.decisions.count)
  }

  @Test func `files and bytes count regular files in the backup only`() throws {
    let tree = try FileTree.app.with("Documents/a", .bytes(5)).with("Documents/b", .bytes(7))
      .with("Documents/none", .bytes(0)).with("Documents/l", .link)
      .with("Documents/m", .bytes(1_000), marks: .resourceValue).with("tmp/t", .bytes(1_000))
    let set = try tree.backedUp()
    #expect(set.fileCount == 3)
    #expect(set.bytes == 12)
  }

  @Test func `a sum beyond the largest number stays the largest`() throws {
    let tree = try FileTree.app.with("Documents/a", .bytes(.max)).with("Documents/b", .bytes(.max))
      .with("Documents/c", .bytes(0)).with("Documents/d", .bytes(1))
    let set = try tree.backedUp()
    #expect(set.bytes == .max)
    #expect(set.fileCount == 4)
  }

  @Test func `a directory that is left out with all its items counts as one top`() throws {
    let tree = try FileTree.app.with(files: "tmp/a/b", "tmp/c", "Library/m/x", "Library/m-n/x")
      .with("Library/m", .emptyDirectory, marks: .resourceValue)
      .with("Documents/movie", marks: .resourceValue)
    let tops = try tree.backedUp().leftOutTops.map(\.path.description)
    #expect(tops == ["Documents/movie", "Library/Caches", "Library/m", "tmp"])
  }

  @Test func `a missing item has no decision`() throws {
    let set = try FileTree.app.backedUp()
    #expect(set.decision(on: try path("Documents/none")) == nil)
    #expect(try !set.holds("Documents/none"))
  }

  @Test func `a reason names the item that decided`() throws {
    let tree = try FileTree.app.with(files: "tmp/a/b", "Own/x", "Library/m/x", "StoreKit/x")
      .with("Library/m", .emptyDirectory, marks: .resourceValue)
      .with("Documents/x.db", .database).with("Documents/x.db-wal")
      .with("Documents/.dat.nosync1")
    let set = try tree.backedUp()
    let deciding: [String: String?] = [
      "tmp/a/b": "tmp", "Own/x": "Own", "Library/m/x": "Library/m", "StoreKit/x": "StoreKit",
      "Documents/x.db-wal": "Documents/x.db", "Library/m": nil, "Documents/.dat.nosync1": nil,
    ]
    for (item, expected) in deciding {
      #expect(try set.reason(item)?.decidingItem?.description == expected, "\(item)")
    }
  }

  @Test func `only the reasons of marks are by mark`() throws {
    let place = try path("x")
    let byMark: [BackupSet.LeftOutReason] = [.ownMark(.resourceValue), .markedDirectory(place)]
    let otherReasons: [BackupSet.LeftOutReason] = [
      .location(place), .systemManaged(place), .outsideRoots(place), .bundle(place), .saveRemnant,
      .databaseSibling(of: place), .pathTooLong(bytes: 998), .specialFile, .unreadable("no"),
      .switchedOff,
    ]
    #expect(byMark.filter(\.isByMark) == byMark)
    #expect(otherReasons.filter(\.isByMark).isEmpty)
    #expect(Set((byMark + otherReasons).map(\.word)).count == byMark.count + otherReasons.count)
    #expect(
      Set((byMark + otherReasons).map(\.description)).count == byMark.count + otherReasons.count)
  }
}
