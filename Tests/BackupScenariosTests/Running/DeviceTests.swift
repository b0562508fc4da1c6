import BackupDevice
import BackupFileTree
import Testing
import TrialSupport

@testable import BackupScenarios

@Suite struct `A reduced device` {
  private func reducedDevice(launches: Int, runsCode: Bool) throws -> Device {
    let profile = try #require(SystemProfile.all.last)
    var state = Device(profile, FileTree(), appVersion: "1.0")
    state.app.extensionLaunchCounts = ["com.example.app.widget": launches]
    let uses = StepUses(of: try Trial.scenario(["{ backup: 'b' }"]))
    return state.reduced(restoring: [], runsCode: runsCode, keeping: uses)
  }

  private func reduced(
    _ scenario: String, without remnants: Set<ContainerPath> = [],
    _ change: (inout Device) -> Void
  ) throws -> (former: Device, changed: Device) {
    let profile = try #require(SystemProfile.all.last)
    let uses = StepUses(of: try Trial.scenario([scenario]))
    let former = Device(profile, FileTree(), appVersion: "1.0")
    var changed = former
    change(&changed)
    return (
      former.reduced(restoring: [], runsCode: false, keeping: uses),
      changed.reduced(restoring: [], without: remnants, runsCode: false, keeping: uses)
    )
  }

  @Test func `has no remnant of a killed save`() throws {
    let remnant = try ContainerPath("Documents/.dat.nosync0.save")
    let (former, changed) = try reduced("{ backup: 'b' }", without: [remnant]) { device in
      var tree = device.tree
      tree.ensureDirectory(ContainerPath.StandardLocation.documents.path)
      device.containers = ContainerState(tree: tree)
    }
    let other = try reduced("{ backup: 'b' }", without: [remnant]) { device in
      var tree = device.tree
      tree.ensureDirectory(ContainerPath.StandardLocation.documents.path)
      tree.insert(FileTree.Item(.file(FileTree.FileInformation(size: 1))), at: remnant)
      device.containers = ContainerState(tree: tree)
    }.changed
    #expect(changed == other)
    #expect(former != changed)
  }

  @Test(arguments: [("", true), (", mayThrow: true", false)])
  func `says that iOS has acted only if a step may then fail`(key: String, isEqual: Bool) throws {
    let (former, changed) = try reduced("{ remove: 'Documents/a'\(key) }") {
      $0.hasSystemActed = true
    }
    #expect((former == changed) == isEqual)
  }

  @Test(arguments: [("x", true), ("{container}", false)])
  func `says that the container has moved only if a step stores its path`(
    contents: String, isEqual: Bool
  ) throws {
    let (former, changed) = try reduced("{ save: 'Documents/a', contents: '\(contents)' }") {
      $0.app.moveCount = 1
    }
    #expect((former == changed) == isEqual)
  }

  @Test func `has no keychain items of code if no code runs`() throws {
    let (former, changed) = try reduced("{ backup: 'b' }") {
      $0.keychain[KeychainItems.nameForItemsOfCode] = nil
    }
    #expect(former == changed)
  }

  @Test func `knows whether an extension's launch is its first, if code runs`() throws {
    #expect(
      try reducedDevice(launches: 1, runsCode: true) != reducedDevice(launches: 2, runsCode: true))
    #expect(
      try reducedDevice(launches: 2, runsCode: true) == reducedDevice(launches: 3, runsCode: true))
    #expect(
      try reducedDevice(launches: 1, runsCode: false) == reducedDevice(launches: 2, runsCode: false)
    )
  }
}
