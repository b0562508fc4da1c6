import Testing

@testable import BackupFileTree

/// The number of files and the sum of their sizes, while files are added and removed.
@Suite struct FileSumTests {
  @Test func `files and bytes are counted, and removed again`() {
    var sum = FileTotal()
    for size: Int64 in [0, 5, 7] { sum.add(size) }
    #expect(sum.files == 3 && sum.bytes == 12)
    sum.remove(5)
    #expect(sum.files == 2 && sum.bytes == 7)
  }

  @Test func `a sum that is too large is the largest number until files are removed`() {
    var sum = FileTotal()
    for _ in 0..<5 { sum.add(.max) }
    #expect(sum.files == 5 && sum.bytes == .max)
    for _ in 0..<4 { sum.remove(.max) }
    #expect(sum.bytes == .max)
    sum.add(9)
    sum.remove(.max)
    #expect(sum.files == 1 && sum.bytes == 9)
  }

  @Test func `an impossible size counts as zero`() {
    var sum = FileTotal()
    sum.add(-1)
    #expect(sum.files == 1 && sum.bytes == 0)
  }
}
