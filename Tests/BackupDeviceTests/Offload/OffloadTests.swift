import BackupFileTree
import Testing

@testable import BackupDevice

/// What is left of an app that is taken off the device.
@Suite struct OffloadTests {
  @Test(arguments: SystemProfile.all)
  func `an offload keeps Documents and Library with their marks, and empties Caches and tmp`(
    profile: SystemProfile
  ) throws {
    let tree = try FileTree.app.with("Documents/a", marks: .resourceValue)
      .with(files: "Library/Application Support/b", "Library/Caches/c", "tmp/d", "Own/e")
    let left = OffloadSimulator(profile: profile).offload(tree)
    let expected = try FileTree.app.with("Documents/a", marks: .resourceValue)
      .with(files: "Library/Application Support/b")
    #expect(left == expected)
  }

  @Test(arguments: SystemProfile.all)
  func `a marked Caches is made anew, unmarked`(profile: SystemProfile) throws {
    let tree = try FileTree.app.with("Library/Caches", .emptyDirectory, marks: .resourceValue)
    #expect(OffloadSimulator(profile: profile).offload(tree) == FileTree.app)
  }

  @Test(arguments: SystemProfile.all)
  func `an offload makes what a new container has, the bundle too`(profile: SystemProfile) throws {
    let layout = profile.layout(bundleIdentifier: "com.example.cinema")
    let left = OffloadSimulator(profile: profile, layout: layout).offload(FileTree())
    #expect(left == layout.tree)
  }

  @Test(arguments: SystemProfile.all)
  func `a deletion leaves nothing`(profile: SystemProfile) throws {
    let tree = try FileTree.furnished()
    #expect(OffloadSimulator(profile: profile).delete(tree) == FileTree.app)
  }

  @Test(arguments: SystemProfile.all)
  func `keychain items outlive all but another device, and ordinary ones some backups to that`(
    profile: SystemProfile
  ) {
    let keychain = profile.keychain
    #expect(keychain.outlivesDeletion.value)
    for kind in SystemProfile.BackupKind.allCases {
      func kept(
        _ accessibility: SystemProfile.KeychainPolicy.Accessibility
      ) -> [RestoreSimulator.Destination] {
        RestoreSimulator.Destination.allCases.filter {
          keychain.isKept(accessibility, restoringTo: $0, from: kind)
        }
      }
      #expect(kept(.thisDeviceOnly) == [.sameDevice])
      #expect(
        kept(.ordinary)
          == (kind == .localEncrypted ? [.sameDevice, .newDevice, .transfer] : [.sameDevice]))
    }
  }
}
