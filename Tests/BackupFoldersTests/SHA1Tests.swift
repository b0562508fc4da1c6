import Testing

@testable import BackupFolders

/// The hash with which backups name files.
@Suite struct SHA1Tests {
  @Test(arguments: [
    ("abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
    ),
    ("a", 1_000_000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
    (
      "0123456701234567012345670123456701234567012345670123456701234567", 10,
      "dea356a2cddd90c7a7ecedc5ebb563934f460452"
    ),
  ])
  func `the hashes are those of RFC 3174`(text: String, count: Int, hash: String) {
    #expect(SHA1(of: Array(String(repeating: text, count: count).utf8)).hexadecimal == hash)
  }

  @Test func `inputs of all lengths around the end of a block have different hashes`() {
    #expect(SHA1(of: []).hexadecimal == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
    let hashes = (0...130).map { SHA1(of: Array(repeating: 0, count: $0)).hexadecimal }
    #expect(Set(hashes).count == 131)
    #expect(hashes.allSatisfy { $0.count == 40 })
  }

  @Test func `a hash is read as it is written, and other texts are refused`() {
    let hash = SHA1(of: Array("abc".utf8))
    func read(_ text: String) -> SHA1? {
      Array(text.utf8).withUnsafeBytes { SHA1(hexadecimal: $0) }
    }
    #expect(read(hash.hexadecimal) == hash)
    #expect(read(hash.hexadecimal.uppercased()) == nil)
    #expect(read(String(hash.hexadecimal.dropLast())) == nil)
    #expect(read(hash.hexadecimal + "0") == nil)
    #expect(read(String(repeating: "g", count: 40)) == nil)
  }
}
