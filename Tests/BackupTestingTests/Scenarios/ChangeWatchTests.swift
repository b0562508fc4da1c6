import Testing

@testable import BackupContainer
@testable import BackupTesting

/// What is said where the app was not killed within an activity.
struct ChangeWatchTests {
  /// A library that is there.
  private static let library = TapLibrary(path: "/lib/tap.so", isLinked: true)

  @Test func `where the product is forgotten the line to add is said`() throws {
    let watch = ChangeWatch(inProcess: false, library: nil)
    #expect(watch == (TapLibrary.isSupported ? .missing : .unsupported))
    #expect(ChangeWatch.missing.advice.contains(".product(name: \"FileSystemTap\", package: "))
  }

  @Test func `where it is there its limits are said`() {
    #expect(ChangeWatch(inProcess: false, library: Self.library) == .tap)
    #expect(ChangeWatch.tap.advice.contains("by calls that are seen"))
  }

  @Test(arguments: [nil, library])
  func `in the test's process no product would help`(_ library: TapLibrary?) {
    let watch = ChangeWatch(inProcess: true, library: library)
    #expect(watch == .inProcess && !watch.advice.contains("FileSystemTap"))
  }
}
