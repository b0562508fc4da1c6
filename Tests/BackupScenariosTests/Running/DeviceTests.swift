import BackupDevice
import BackupFileTree
import Testing

@testable import BackupScenarios

@Suite struct `a device's state without what nothing depends on` {
  private func state(launches: Int, runsCode: Bool) throws -> Device {
    let profile = try #require(SystemProfile.all.last)
    var state = Device(profile, FileTree(), appVersion: "1.0")
    state.app.extensionLaunchCounts = ["com.example.app.widget": launches]
    return state.reduced(restoring: [], runsCode: runsCode, besides: StepUses(of: scenario))
  }

  @Test func `keeps whether an extension's launch is its first, which its code is told`() throws {
    #expect(try state(launches: 1, runsCode: true) != state(launches: 2, runsCode: true))
    #expect(try state(launches: 2, runsCode: true) == state(launches: 3, runsCode: true))
    #expect(try state(launches: 1, runsCode: false) == state(launches: 2, runsCode: false))
  }
}
