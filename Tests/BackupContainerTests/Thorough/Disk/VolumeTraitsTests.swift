import BackupDiagnostics
import Foundation
import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// A volume may treat two names as one, or refuse a name. The tests simulate a Mac's volume.
@Suite struct VolumeTraitsTests {
  /// A volume that ignores case and nothing else.
  private static let caseInsensitive = VolumeTraits.ignoresCase
  /// A volume that ignores how characters are composed and nothing else.
  private static let normalizationInsensitive = VolumeTraits.ignoresNormalization

  private func name(_ text: String) -> ContainerPath.Component {
    ContainerPath.Component(unchecked: Array(text.utf8))
  }

  @Test(
    arguments: [
      ("a", "A", true, false), ("é", "É", true, false), ("Σ", "σ", true, false),
      ("\u{E9}", "e\u{301}", false, true), ("\u{E9}", "E\u{301}", false, false),
      ("a", "b", false, false), ("ß", "ss", false, false), ("a", "a ", false, false),
    ])
  func `a volume treats two names as one by case or by composition`(
    _ one: String, _ other: String, byCase: Bool, byComposition: Bool
  ) {
    for (mine, theirs) in [(name(one), name(other)), (name(other), name(one))] {
      #expect((Self.caseInsensitive.twin(of: mine, among: [theirs]) == theirs) == byCase)
      #expect(
        (Self.normalizationInsensitive.twin(of: mine, among: [theirs]) == theirs) == byComposition)
      #expect(VolumeTraits.exact.twin(of: mine, among: [theirs]) == nil)
    }
    let isSameName = VolumeTraits.usualOnMac.twin(of: name(one), among: [name(other)]) != nil
    #expect(isSameName == (byCase || byComposition || one == "\u{E9}"))
  }

  @Test func `an existing name has no twin`() {
    let names = [name("A"), name("a")]
    #expect(VolumeTraits.usualOnMac.twin(of: name("a"), among: names) == nil)
  }

  @Test func `an objection names the reason and what to do`() throws {
    let traits = VolumeTraits.usualOnMac
    let byCase = try #require(traits.objection(to: name("a"), beside: [name("A")]))
    #expect(byCase.contains("'a' and the existing 'A' differ only by case"))
    #expect(byCase.contains("set TMPDIR to a folder on a case-sensitive volume"))
    let composed = try #require(
      traits.objection(to: name("\u{E9}"), beside: [name("e\u{301}")]))
    #expect(composed.contains("only in how their characters are composed"))
    let bytes = ContainerPath.Component(unchecked: [0x61, 0xFF])
    #expect(traits.objection(to: bytes, beside: [])?.contains("'a\\xFF' is not UTF-8") == true)
    #expect(traits.objection(to: name("b"), beside: [name("A")]) == nil)
    #expect(VolumeTraits.exact.objection(to: bytes, beside: [name("A")]) == nil)
  }

  @Test func `probing finds the traits of this volume, and leaves nothing behind`() throws {
    let container = try FakeContainer()
    let folder = DiskPath(container.temporary)
    let traits = try VolumeTraits.findTraits(in: folder)
    #expect(try folder.names().isEmpty)
    #expect(traits == container.volumeTraits)
    for name in ["a", "A"] { try folder.appending(Array(name.utf8)).write(.bytes([]), options: 0) }
    #expect(try folder.names().count == (traits.contains(.ignoresCase) ? 1 : 2))
    for name in ["\u{E9}", "e\u{301}"] {
      try folder.appending(Array(name.utf8)).write(.bytes([]), options: 0)
    }
    #expect(
      try folder.names().count
        == (traits.contains(.ignoresCase) ? 1 : 2)
        + (traits.contains(.ignoresNormalization) ? 1 : 2))
    let parent = container.deviceURL.deletingLastPathComponent()
    let gone = try DeviceFolder.make(in: parent)
    try gone.remove()
    #expect(try VolumeTraits.ofVolume(of: parent, tryingIn: gone) == traits)
  }

  @Test func `probing in a missing folder throws an error`() {
    let error = thrownError { () throws(SystemError) in
      _ = try VolumeTraits.findTraits(in: DiskPath(URL(fileURLWithPath: "/nowhere/at all")))
    }
    #expect(error == SystemError(ENOENT))
  }
}

/// A container on a volume that treats two names as one.
@Suite struct NameCollisionTests {
  /// The container holds `Documents/Notes/é`. The `é` is one character, U+00E9.
  private let container: FakeContainer
  private let before: FileTree

  init() throws {
    container = try FakeContainer(traits: .usualOnMac)
    try container.apply(.makeDirectory("Documents/Notes"))
    try container.apply(.save("Documents/Notes/\u{E9}"))
    before = try container.scan()
  }

  @Test(
    arguments: [
      (.save("Documents/notes"), "Documents/notes"),
      (.makeDirectory("documents"), "documents"),
      (.createDirectory("Documents/NOTES/x/y", intermediates: true), "Documents/NOTES"),
      (.save("Documents/Notes/e\u{301}"), "Documents/Notes/e\u{301}"),
      (.append("documents/Notes/\u{E9}", .zeros(1)), "documents"),
      (.remove("Documents/notes"), "Documents/notes"),
      (.move("Documents/Notes", to: "Documents/notes", replacing: true), "Documents/notes"),
      (.copy("Documents/notes", to: "tmp/x"), "Documents/notes"),
      (.link("TMP", destination: "tmp"), "TMP"),
      (.mark("library"), "library"),
    ] as [(FileOperation, ContainerPath)])
  func `an operation on another spelling is refused`(
    operation: FileOperation, refusedPath: ContainerPath
  ) throws {
    let error = thrownError { () throws(FileOperation.Failure) in try container.apply(operation) }
    #expect(error?.code == .unsupportedName && error?.path == refusedPath)
    #expect(error?.description.contains("treats them as one name") == true)
    #expect(try container.scan() == before)
  }

  @Test func `a name that is not UTF-8 is refused with the reason`() throws {
    let path = try ContainerPath(bytes: Array("tmp/".utf8) + [0xFF])
    let error = thrownError { () throws(FileOperation.Failure) in try container.apply(.save(path)) }
    #expect(error?.code == .unsupportedName && error?.path == path)
    #expect(error?.description.hasPrefix("'tmp/\\xFF': '\\xFF' is not UTF-8") == true)
    #expect(try container.scan() == before)
  }

  @Test(
    arguments: [
      .save("Documents/Notes/\u{E9}"), .save("tmp/notes"), .save("Documents/Notes/\u{C8}"),
      .move("Documents/Notes", to: "tmp/notes", replacing: false),
      .createDirectory("Documents/Notes/a/A", intermediates: true),
    ] as [FileOperation])
  func `one spelling, or the same name in another directory, is accepted`(operation: FileOperation)
    throws
  {
    var tree = before
    try tree.apply(operation)
    try container.apply(operation)
    #expect(try container.scan() == tree)
  }

  @Test func `a missing item causes the usual error`() throws {
    for path in ["Documents/x/y", "Documents/Notes/\u{E9}/z"] as [ContainerPath] {
      var tree = before
      let onTree = thrownError { () throws(FileOperation.Failure) in try tree.apply(.save(path)) }
      let onDisk = thrownError { () throws(FileOperation.Failure) in
        try container.apply(.save(path))
      }
      #expect(onTree != nil && onTree == onDisk)
    }
  }

  @Test func `a tree with two names that the volume treats as one is not materialised`() throws {
    var tree = before
    try tree.apply(.save("Documents/NOTES"))
    let error = #expect(throws: RunError.self) { try container.materialise(tree) }
    #expect(error?.description.contains("/Documents/Notes: ") == true)
    #expect(error?.description.contains("only by case") == true)
    #expect(try container.scan() == before)
    try container.materialise(before)
  }
}
