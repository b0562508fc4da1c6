import CBackupProcess

/// Does work on a thread of its own, which nobody waits for, as of work that blocks.
///
/// - Returns: 0, or the error number where the machine gives no thread; nothing is done then.
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
