import BackupFileTree
import Testing

@testable import BackupDevice

/// The container of an app after iOS offloads it, or the user deletes it.
@Suite struct OffloadTests {
  @Test(arguments: SystemProfile.all)
  func `an offload keeps Documents and Library with their marks, and empties Caches and tmp`(
    profile: SystemProfile
  ) throws {
    let tree = try FileTree.app.with("Documents/a", marks: .resourceValue)
      .with(files: "Library/Application Support/b", "Library/Caches/c", "tmp/d", "Own/e")
    let offloaded = OffloadSimulator(profile: profile).offload(tree)
    let expected = try FileTree.app.with("Documents/a", marks: .resourceValue)
      .with(files: "Library/Application Support/b")
    #expect(offloaded == expected)
  }

  @Test(arguments: SystemProfile.all)
  func `a marked Caches is created again without its mark`(profile: SystemProfile) throws {
    let tree = try FileTree.app.with("Library/Caches", .emptyDirectory, marks: .resourceValue)
    #expect(OffloadSimulator(profile: profile).offload(tree) == FileTree.app)
  }

  @Test(arguments: SystemProfile.all)
  func `an offload creates the layout of a new container, bundle included`(profile: SystemProfile)
    throws
  {
    let layout = profile.layout(bundleIdentifier: "com.example.cinema")
    let offloaded = OffloadSimulator(profile: profile, layout: layout).offload(FileTree())
    #expect(offloaded == layout.tree)
  }

  @Test(arguments: SystemProfile.all)
  func `a deletion leaves only the layout of a new container`(profile: SystemProfile) throws {
    let tree = try FileTree.withItemsInAllPlaces()
    #expect(OffloadSimulator(profile: profile).delete(tree) == FileTree.app)
  }

  @Test(arguments: SystemProfile.all)
  func `only an encrypted local backup brings ordinary keychain items to another device`(
    profile: SystemProfile
  ) {
    let keychain = profile.keychain
    #expect(keychain.outlivesDeletion.value)
    for kind in SystemProfile.BackupKind.allCases {
      func destinations(
        _ accessibility: SystemProfile.KeychainPolicy.Accessibility
      ) -> [RestoreSimulator.Destination] {
        RestoreSimulator.Destination.allCases.filter {
          keychain.isKept(accessibility, restoringTo: $0, from: kind)
        }
      }
      #expect(destinations(.thisDeviceOnly) == [.sameDevice])
      #expect(
        destinations(.ordinary)
          == (kind == .localEncrypted ? [.sameDevice, .newDevice, .transfer] : [.sameDevice]))
    }
  }
}
