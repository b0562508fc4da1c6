import CBackupProcess

/// Runs work on a new thread, and does not wait for it. The work may block.
///
/// - Returns: 0, or the error number if the machine has no thread left. In this case, the work is
///   not done.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
  let work = Unmanaged.passRetained(Locked(body))
  let error = cpr_detach(
    { context in
      guard let context else { return }
      let work = Unmanaged<Locked<@Sendable () -> Void>>.fromOpaque(context).takeRetainedValue()
      work.withLock { $0 }()
    }, work.toOpaque())
  if error != 0 { work.release() }
  return error
}
