#if os(macOS) || os(Linux)
import Testing

@testable import BackupContainer
@testable import BackupExploring

/// The advice of the kit if exploration cannot kill the app within an activity.
struct UnseenChangesTests {
  private static let library = TapLibrary(path: "/lib/tap.so", isLinked: true)

  private let product = ".product(name: \"FileSystemTap\", package: "

  @Test func `without the tap, the advice is the line to add to the manifest`() {
    let advice = adviceOnUnseenChanges(inTestProcess: false, library: nil, isSupported: true)
    #expect(advice.contains(product))
    let adviceElsewhere = adviceOnUnseenChanges(
      inTestProcess: false, library: nil, isSupported: false)
    #expect(!adviceElsewhere.contains(product))
    #expect(adviceElsewhere.contains("FileSystemTap"))
  }

  @Test func `with the tap, the advice names the limits of the tap`() {
    let advice = adviceOnUnseenChanges(inTestProcess: false, library: Self.library)
    #expect(advice.contains("with calls that the kit sees"))
  }
}
#endif
