import Testing

@testable import BackupFileTree

/// Sums of the sizes of files that come and go.
@Suite struct FileTotalTests {
  @Test func `files and bytes are counted, and taken out again`() {
    var sum = FileTotal()
    for size: Int64 in [0, 5, 7] { sum.add(size) }
    #expect(sum.files == 3 && sum.bytes == 12)
    sum.remove(5)
    #expect(sum.files == 2 && sum.bytes == 7)
  }

  @Test func `a sum that is too large is the largest, until files are taken out`() {
    var sum = FileTotal()
    for _ in 0..<5 { sum.add(.max) }
    #expect(sum.files == 5 && sum.bytes == .max)
    for _ in 0..<4 { sum.remove(.max) }
    #expect(sum.bytes == .max)
    sum.add(9)
    sum.remove(.max)
    #expect(sum.files == 1 && sum.bytes == 9)
  }

  @Test func `a size that no file can have is none`() {
    var sum = FileTotal()
    sum.add(-1)
    #expect(sum.files == 1 && sum.bytes == 0)
  }
}
