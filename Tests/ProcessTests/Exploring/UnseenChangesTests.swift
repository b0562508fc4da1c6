#if os(macOS) || os(Linux)
import Testing

@testable import BackupContainer
@testable import BackupExploring

/// What is said where the app was not killed within an activity.
struct UnseenChangesTests {
  /// A library that is there.
  private static let library = TapLibrary(path: "/lib/tap.so", isLinked: true)

  private let product = ".product(name: \"FileSystemTap\", package: "

  @Test func `where the product is forgotten the line to add is said`() {
    let advice = adviceOnUnseenChanges(inProcess: false, library: nil, isSupported: true)
    #expect(advice.contains(product))
    let elsewhere = adviceOnUnseenChanges(inProcess: false, library: nil, isSupported: false)
    #expect(!elsewhere.contains(product))
    #expect(elsewhere.contains("FileSystemTap"))
  }

  @Test func `where it is there its limits are said`() {
    let advice = adviceOnUnseenChanges(inProcess: false, library: Self.library)
    #expect(advice.contains("with calls that the kit sees"))
  }

  @Test(arguments: [nil, library])
  func `in the test's process no product would help`(_ library: TapLibrary?) {
    let advice = adviceOnUnseenChanges(inProcess: true, library: library)
    #expect(!advice.contains("FileSystemTap"))
  }
}
#endif
