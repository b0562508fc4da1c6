import CBackupProcess

package enum ProcessMemory {
  /// The memory that this process occupies now, in bytes.
  package static var current: Int { Int(cpr_memory()) }
}
