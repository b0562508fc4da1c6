import BackupContainer
import Foundation

/// How code that does not link the kit finds the current container: by this class's name.
///
/// The shim for Linux looks up `BackupTesting.CurrentContainer` at run time, makes one from an
/// empty string, and reads the description: the container's absolute path.
public final class CurrentContainer: LosslessStringConvertible {
  /// The container's absolute path.
  public let description: String

  /// The current container of this task; nil where there is none.
  ///
  /// - Parameter description: Not looked at.
  public init?(_ description: String) {
    guard let container = FakeContainer.current else { return nil }
    self.description = container.url.path
  }
}
