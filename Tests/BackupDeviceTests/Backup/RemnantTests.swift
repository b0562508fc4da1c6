import BackupDevice
import BackupFileTree
import Testing

/// Files that an unfinished save leaves behind.
@Suite struct RemnantTests {
  static let remnants = [
    "Documents/.dat.nosync", "Documents/.dat.nosync12ab.XYZ", "Library/a/.dat.nosync0",
    "Library/Preferences/com.example.plist.AbCdEf0", "Documents/x.plist.1234567",
    "Documents/.plist.1234567", "Library/Cookies/binarycookies_tmp_1.dat",
    "Library/binarycookies_tmp/x.dat", "Library/binarycookies_tmp\u{301}.dat",
    "Library/a-binarycookies_tmp-b/c/d/x.dat",
  ]

  /// Paths that only resemble those of remnants.
  static let ordinary = [
    "Documents/dat.nosync1", "Documents/x.dat.nosync1", "Documents/.dat.nosyn",
    "Documents/.DAT.nosync1", "Documents/x.plist", "Documents/x.plist.", "Documents/x.plist.123456",
    "Documents/x.plist.12345678", "Documents/x.plist.12/4567", "Documents/x.plist./234567",
    "Documents/xplist.1234567", "Documents/x.dat", "Library/Cookies/binarycookies_tmp",
    "Library/Cookies/binarycookies_tmp.data", "Library/Cookies/Cookies.binarycookies",
    "Documents/x.nosync", "Library/binarycookies/_tmp.dat", "Library/binarycookies_tmp/a.x/dat",
    "Library/binarycookies_tm.dat", "Library/bbinarycookies-tmp/binarycookies_tm/x.dat",
  ]

  @Test(arguments: remnants)
  func `a file with a remnant's name is left out`(file: String) throws {
    #expect(try FileTree.app.with(files: file).backedUp().reason(file) == .saveRemnant)
  }

  @Test(arguments: ordinary)
  func `a file whose name is only similar is in`(file: String) throws {
    #expect(try FileTree.app.with(files: file).backedUp().holds(file))
  }

  @Test(arguments: remnants + ordinary)
  func `a pattern matches the whole path as a backup does`(file: String) throws {
    let patterns = SystemProfile.RemnantPattern.allCases
    let isRemnant = try FileTree.app.with(files: file).backedUp().reason(file) == .saveRemnant
    #expect(try patterns.contains { $0.matches(try path(file)) } == isRemnant)
  }

  @Test(arguments: remnants)
  func `a directory or link with a remnant's name is an ordinary one`(item: String) throws {
    let directory = try FileTree.app.with(item, .emptyDirectory)
    #expect(try directory.backedUp().holds(item))
    #expect(try FileTree.app.with(item, .link).backedUp().holds(item))
  }

  @Test func `files in a directory with a remnant's name are in`() throws {
    let tree = try FileTree.app
      .with(files: "Documents/.dat.nosync1/a", "Documents/p.plist.1234567/a")
    let set = try tree.backedUp()
    #expect(try set.holds("Documents/.dat.nosync1/a"))
    #expect(try set.holds("Documents/p.plist.1234567/a"))
  }

  @Test func `a marked remnant is left out for its mark`() throws {
    let tree = try FileTree.app.with("Documents/.dat.nosync1", marks: .resourceValue)
    #expect(try tree.backedUp().reason("Documents/.dat.nosync1") == .ownMark(.resourceValue))
  }
}
