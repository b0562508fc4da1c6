import CBackupProcess

/// Runs work, for example work that blocks, on a new thread without waiting for it.
///
/// - Returns: 0, or the error number if the machine gives no thread; then the work is not done.
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
