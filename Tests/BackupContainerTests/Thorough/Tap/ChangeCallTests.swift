import BackupFileTree
import Testing

@testable import BackupContainer

/// Notes of the calls of app code. A process may write anything there.
struct ChangeCallTests {
  private static func call(_ note: String) -> ChangeCall? {
    ChangeCall.all(in: [note]) { try? ContainerPath($0) }.first
  }

  @Test func `a note names the kind, the callers, the program and the item`() throws {
    let call = try #require(Self.call("4 1f,a0 /a b\nDocuments/x\ny"))
    #expect(call.kind == .move)
    #expect(call.callers == [0x1f, 0xa0])
    #expect(call.program == "/a b")
    #expect(call.path.string == "Documents/x\ny")
  }

  @Test(
    arguments: [
      ("1", .save), ("3", .save), ("7", .removal), ("a", .mark), ("b", .unmark), ("12", .refusal),
      ("13", .look), ("c", .save), ("103", .save),
    ] as [(String, ChangeCall.Kind)])
  func `each number stands for a kind of call`(number: String, kind: ChangeCall.Kind) {
    #expect(Self.call("\(number)  /a\nx")?.kind == kind)
  }

  @Test func `a write of user defaults is left out, and a lookup of them is not`() {
    let path = "Library/Preferences/com.example.app.plist"
    for number in ["1", "3", "4", "7"] { #expect(Self.call("\(number) 1 /a\n\(path)") == nil) }
    #expect(Self.call("13 1 /a\n\(path)")?.kind == .look)
    #expect(Self.call("3 1 /a\nLibrary/Preferences/list.json")?.kind == .save)
  }

  @Test(arguments: ["", "\n", "1", "1 2\nx", "g 1 /a\nx", "1 1 /a", "1 1 /a\n", "-1 1 /a\nx"])
  func `a malformed note is left out`(note: String) {
    #expect(Self.call(note) == nil)
  }

  @Test func `a caller that is no number is left out`() {
    #expect(Self.call("1 x,0,fffffffffffffffff,2 /a\nx")?.callers == [2])
  }
}
