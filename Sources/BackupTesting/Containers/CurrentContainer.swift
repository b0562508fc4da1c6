import BackupContainer
import Foundation
import Testing

/// How code that does not link the kit finds the current container: by this class's name.
///
/// The shim for Linux looks up `BackupTesting.CurrentContainer` at run time, makes one from the
/// call that the app's code makes, and reads the description: the container's absolute path. These
/// classes are `package` and not internal, since the optimizer may drop an internal class that no
/// code names.
package final class CurrentContainer: LosslessStringConvertible {
  /// The container's absolute path.
  package let description: String

  /// The current container of this task or, in a process of the app's, the process's own; nil
  /// without one.
  ///
  /// A thread of the app's code that has none though a test runs it is reported: as an error of the
  /// test where no other container is open, else as a warning.
  ///
  /// - Parameter description: What the app's code asks for, such as `NSHomeDirectory()`; empty for
  ///   what is not worth a report.
  package init?(_ description: String) {
    FoundationMarks.noteShim()
    guard let path = FakeContainer.current?.currentLocations.url.path ?? AppVariables.ownContainer
    else {
      OpenContainers.shared.reportLostLookUp(description)
      return nil
    }
    self.description = path
  }
}

/// How code that does not link the kit finds the container of a group: by this class's name.
///
/// The shim for Linux makes one from the group's identifier, and reads the description: the
/// absolute path of the group's container.
package final class CurrentGroupContainer: LosslessStringConvertible {
  /// The absolute path of the group's container.
  package let description: String

  /// The container of a group that the app of this task is in; nil if it is in no such group.
  package init?(_ description: String) {
    FoundationMarks.noteShim()
    guard let container = FakeContainer.current else {
      guard AppVariables.ownContainer == nil else { return nil }
      OpenContainers.shared.reportLostLookUp(
        "FileManager.containerURL(forSecurityApplicationGroupIdentifier: \"\(description)\")")
      return nil
    }
    guard let url = container.url(ofGroup: description) else { return nil }
    self.description = url.path
  }
}

/// How code that does not link the kit finds out what the app is called: by this class's name.
///
/// The shim for Linux makes one from an empty text, and reads the description.
package final class CurrentBundleIdentifier: LosslessStringConvertible {
  package let description: String

  /// The identifier of the app whose code this task runs; nil if it runs no app's code.
  package init?(_ description: String) {
    guard let identifier = FakeContainer.current?.currentIdentifier else { return nil }
    self.description = identifier
  }
}

private let warnedLookUps = Locked<Set<String>>([])

extension OpenContainers {
  /// Reports a look-up on a thread that has no container where it must be of code that a test runs;
  /// a test's own task without a container wants none.
  func reportLostLookUp(_ call: String) {
    guard !call.isEmpty, Test.current == nil, noteLostLookUp(call) == .ambiguous,
      warnedLookUps.withLock({ $0.insert(call).inserted })
    else { return }
    Issue.record(
      Comment(
        rawValue:
          "\(FakeContainer.complaint(onLostLookUp: call)). Several containers are open, so the "
          + "kit does not know which test did it; with 'swift test --no-parallel' it fails "
          + "that test"),
      severity: .warning)
  }
}
