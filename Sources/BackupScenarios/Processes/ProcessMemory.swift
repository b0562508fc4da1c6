import CBackupProcess

/// The memory of this process.
package enum ProcessMemory {
  /// The most that it has had at once, in bytes.
  package static var peak: Int { Int(cpr_peak_memory()) }
}
