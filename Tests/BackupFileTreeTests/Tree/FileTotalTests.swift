import Testing

@testable import BackupFileTree

/// The number of files and the sum of their sizes, while files are added and removed.
@Suite struct FileSumTests {
  @Test func `files and bytes are counted, and removed again`() {
    var sum = FileTotal()
    for size: Int64 in [0, 5, 7] { sum.addFile(size) }
    #expect(sum.fileCount == 3 && sum.byteCount == 12)
    sum.removeFile(5)
    #expect(sum.fileCount == 2 && sum.byteCount == 7)
  }

  @Test func `a sum that is too large is the largest number until files are removed`() {
    var sum = FileTotal()
    for _ in 0..<5 { sum.addFile(.max) }
    #expect(sum.fileCount == 5 && sum.byteCount == .max)
    for _ in 0..<4 { sum.removeFile(.max) }
    #expect(sum.byteCount == .max)
    sum.addFile(9)
    sum.removeFile(.max)
    #expect(sum.fileCount == 1 && sum.byteCount == 9)
  }

  @Test func `an impossible size counts as zero`() {
    var sum = FileTotal()
    sum.addFile(-1)
    #expect(sum.fileCount == 1 && sum.byteCount == 0)
  }
}
