import CBackupProcess
import Foundation

/// A process, told from every later one of the same id.
///
/// What is left on disk bears that of its process, so that the next one can tell whether it is in use.
package struct ProcessIdentity: Hashable, Sendable {
  /// The process's id.
  package let process: Int32
  /// When it began, in a unit of the system's.
  package let begin: UInt64
  /// The namespace and the machine that the id is of; in another one nothing is known of the
  /// process.
  package let namespace: UInt64

  /// The process of these numbers.
  package init(process: Int32, begin: UInt64, namespace: UInt64) {
    self.process = process
    self.begin = begin
    self.namespace = namespace
  }

  /// This process, once that is known.
  private static let known = Locked<ProcessIdentity?>(nil)

  /// This process; nil where the system does not say when it began.
  package static var own: ProcessIdentity? { try? findOwn() }

  /// This process; nil where the system does not say when it began.
  ///
  /// - Throws: ``SystemError`` where the machine lacks what it takes to ask.
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

  /// This process's namespace, which has the same number on every machine that was just started, with
  /// the machine's name: a folder may be shared by several.
  private static let ownNamespace: UInt64 = {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return cpr_namespace() }
    // FNV-1a, which is the same in every process.
    let hash = name.prefix { $0 != 0 }.reduce(0xCBF2_9CE4_8422_2325) { (hash: UInt64, letter) in
      (hash ^ UInt64(UInt8(bitPattern: letter))) &* 0x100_0000_01B3
    }
    return cpr_namespace() ^ hash
  }()

  /// Whether the process is known to have ended.
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
