import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// Random operations have the same results on a tree and on disk.
@Suite struct TwinTests {
  @Test(arguments: Thoroughness.seeds(3, of: 25))
  func `500 random operations leave tree and disk equal after each`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var twin = try Twin()
    let isUTF8 = twin.container.volumeTraits.contains(.requiresUTF8)
    for _ in 1...500 { try twin.perform(.random(isUTF8: isUTF8, using: &random)) }
    try twin.container.remove()
  }

  @Test(arguments: Thoroughness.seeds(1, of: 10))
  func `the changes of random operations leave tree and disk equal after each`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var twin = try Twin()
    let isUTF8 = twin.container.volumeTraits.contains(.requiresUTF8)
    for _ in 1...500 { try twin.performByChanges(.random(isUTF8: isUTF8, using: &random)) }
    try twin.container.remove()
  }
}
