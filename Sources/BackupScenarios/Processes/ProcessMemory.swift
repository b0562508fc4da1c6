import CBackupProcess

/// The memory of this process.
package enum ProcessMemory {
  /// What it has now, in bytes.
  package static var current: Int { Int(cpr_memory()) }
}
