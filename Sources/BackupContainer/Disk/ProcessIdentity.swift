import CBackupProcess
import Foundation

/// The identity of a process. A later process may get the same id, but never the same identity.
///
/// The kit writes the identity on the items that a process leaves on disk. The next process can
/// then tell whether these items are in use.
package struct ProcessIdentity: Hashable, Sendable {
  package let processID: Int32
  /// The start time of the process, in a unit of the system.
  package let startTime: UInt64
  /// A number for the namespace of process ids and for the name of the machine.
  ///
  /// The kit cannot see the processes of another namespace, so items of these processes stay on
  /// disk. If another network gives a Mac another name, items from before stay too.
  package let namespace: UInt64

  private static let cachedIdentity = Locked<ProcessIdentity?>(nil)

  /// The identity of this process; nil if the system does not report its start time.
  package static var own: ProcessIdentity? { try? findOwn() }

  /// Returns the identity of this process; nil if the system does not report its start time.
  static func findOwn() throws(SystemError) -> ProcessIdentity? {
    try cachedIdentity.withLock { cachedIdentity throws(SystemError) in
      if let cachedIdentity { return cachedIdentity }
      let process = getpid()
      var begin: UInt64 = 0
      let error = SystemError(cpr_begin_of(process, &begin))
      if error.isMachineFault { throw error }
      guard error.number == 0 else { return nil }
      cachedIdentity = ProcessIdentity(
        processID: process, startTime: begin, namespace: ownNamespace)
      return cachedIdentity
    }
  }

  private static let ownNamespace = cpr_namespace()

  package var hasEnded: Bool {
    guard namespace == Self.ownNamespace else { return false }
    var presentBegin: UInt64 = 0
    switch cpr_begin_of(processID, &presentBegin) {
    case 0: return presentBegin != startTime
    case ESRCH: return true
    default: return false
    }
  }
}

extension ProcessIdentity: LosslessStringConvertible {
  /// The process's id, start time and namespace, in base 16 and joined by `-`.
  package var description: String {
    [UInt64(processID), startTime, namespace].map { String($0, radix: 16) }.joined(separator: "-")
  }

  /// Reads an identity from its description; nil for any other text.
  package init?(_ description: String) {
    let numbers = description.split(separator: "-").compactMap { UInt64($0, radix: 16) }
    guard numbers.count == 3, let process = Int32(exactly: numbers[0]), process > 0 else {
      return nil
    }
    self.init(processID: process, startTime: numbers[1], namespace: numbers[2])
    guard self.description == description else { return nil }
  }
}
