import BackupTesting
import Foundation
import Testing

/// The examples of code in C, which a package of its own compiles: Tests/SampleApp.
@Suite(.disabled("these show that the examples compile")) struct CExamples {
  /// Stands in for the function in C that an app has.
  private static func mark(_ path: String) -> Bool { true }

  @Test func `a function in C is bound`() {
    let keep_out_by_attribute: @Sendable (String) -> Bool = { Self.mark($0) }
    var actions = AppActions()
    actions.bind("keepOut") { action in
      let file = action.container.library.appendingPathComponent("tides.db")
      try Data(count: 10).write(to: file)
      guard keep_out_by_attribute(file.path) else { throw POSIXError(.EIO) }
    }
    #expect(actions.names == ["keepOut"])
  }
}
