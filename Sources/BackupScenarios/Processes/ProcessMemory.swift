import CBackupProcess

package enum ProcessMemory {
  /// The current memory of this process, in bytes.
  package static var current: Int { Int(cpr_memory()) }
}
