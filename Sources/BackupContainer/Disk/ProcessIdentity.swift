import CBackupProcess
import Foundation

/// A process, distinguished from every later one with the same id.
///
/// What a process leaves on disk bears its identity, so that the next process can see whether it is
/// in use.
package struct ProcessIdentity: Hashable, Sendable {
  package let process: Int32
  /// When it began, in a unit of the system's.
  package let begin: UInt64
  /// The namespace and the machine, by its name, that the id is of; in another one nothing is known
  /// of the process. So what a Mac left under the name that another network gave it stays.
  package let namespace: UInt64

  private static let known = Locked<ProcessIdentity?>(nil)

  /// This process; nil if the system does not say when it began.
  package static var own: ProcessIdentity? { try? findOwn() }

  /// This process; nil if the system does not say when it began.
  static func findOwn() throws(SystemError) -> ProcessIdentity? {
    try known.withLock { known throws(SystemError) in
      if let known { return known }
      let process = getpid()
      var begin: UInt64 = 0
      let error = SystemError(cpr_begin_of(process, &begin))
      if error.isMachineFault { throw error }
      guard error.number == 0 else { return nil }
      known = ProcessIdentity(process: process, begin: begin, namespace: ownNamespace)
      return known
    }
  }

  private static let ownNamespace = cpr_namespace()

  package var hasEnded: Bool {
    guard namespace == Self.ownNamespace else { return false }
    var now: UInt64 = 0
    switch cpr_begin_of(process, &now) {
    case 0: return now != begin
    case ESRCH: return true
    default: return false
    }
  }
}

extension ProcessIdentity: LosslessStringConvertible {
  /// The process's id, when it began and its namespace, of base 16, joined by `-`.
  package var description: String {
    [UInt64(process), begin, namespace].map { String($0, radix: 16) }.joined(separator: "-")
  }

  /// The process of such a text; nil for every other.
  package init?(_ description: String) {
    let numbers = description.split(separator: "-").compactMap { UInt64($0, radix: 16) }
    guard numbers.count == 3, let process = Int32(exactly: numbers[0]), process > 0 else {
      return nil
    }
    self.init(process: process, begin: numbers[1], namespace: numbers[2])
    guard self.description == description else { return nil }
  }
}
