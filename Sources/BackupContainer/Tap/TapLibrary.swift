import CBackupProcess
package import Foundation

/// The library FileSystemTap, with which processes note their changes to files.
///
/// It does not exist on Apple platforms.
package struct TapLibrary: Hashable, Sendable {
  package let path: String
  /// True if the library is linked into this process, and so into each process that runs this
  /// executable.
  package let isLinked: Bool

  package static var isSupported: Bool { cpr_tap_name() != nil }

  /// Finds the library: the one that is linked into this process, or else a file beside the
  /// executable.
  ///
  /// - Returns: The library; nil if it is missing, or if its path cannot be passed to a process.
  package static func find() -> TapLibrary? {
    guard let name = cpr_tap_name().map({ String(cString: $0) }) else { return nil }
    if let path = linkedPath { return TapLibrary(path: path, isLinked: true) }
    return executables.lazy.map { $0.deletingLastPathComponent().appendingPathComponent(name).path }
      .first { canBePreloaded($0) && FileManager.default.isReadableFile(atPath: $0) }
      .map { TapLibrary(path: $0, isLinked: false) }
  }

  private static var linkedPath: String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { path in
      guard let start = path.baseAddress, cpr_find_linked_tap(start, path.count) == 1 else {
        return nil
      }
      return String(cString: start)
    }
  }

  /// The programs in this process: its executable, and the test bundle that its arguments name.
  private static var executables: [URL] {
    let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let arguments = CommandLine.arguments
    let bundlePaths = arguments.firstIndex(of: "--test-bundle-path").map {
      arguments.dropFirst($0 + 1)
    }
    return [executable] + (bundlePaths?.first.map { [URL(fileURLWithPath: $0)] } ?? [])
  }

  /// Returns true if the loader accepts a path. The paths in `LD_PRELOAD` are separated by spaces
  /// or colons, so a path must have none.
  private static func canBePreloaded(_ path: String) -> Bool {
    !path.contains { $0 == " " || $0 == ":" }
  }

  /// Returns the environment variables with which a new process loads the library. The libraries
  /// that this process preloads are loaded after this library.
  ///
  /// `FileSystemTap.h` describes the variables:
  /// - `log` is the file for the log of changes, and `roots` are the directories to watch.
  /// - The process is killed before the change with the number `killedBefore`.
  /// - Directly in `refusing`, no item can be created, except for `allowedNames`. In `readOnly`,
  ///   nothing can be created or written.
  /// - `former` are the former directories of the containers. `notes` is the folder for
  ///   ``PathNotes``.
  /// - `growthLimitFile` is a file with one byte for each write that may still make a file longer.
  package func variables(
    log: URL?, roots: [URL], killedBefore: Int? = nil, refusedFolders: [URL] = [],
    allowedNames: [String] = [], readOnly: [URL] = [], formerRoots: some Collection<URL> = [],
    noteFolder: URL? = nil, growthLimitFile: URL? = nil
  ) -> [String: String] {
    func list(_ urls: some Collection<URL>) -> String? {
      urls.isEmpty ? nil : urls.map(\.path).joined(separator: ":")
    }
    let values: [String: String?] = [
      "LOG": log?.path, "ROOTS": list(roots), "KILL": killedBefore.map(String.init),
      "REFUSED": list(refusedFolders), "READ_ONLY": list(readOnly),
      "ALLOWED": allowedNames.isEmpty ? nil : allowedNames.joined(separator: ":"),
      "FORMER": list(formerRoots), "NOTES": noteFolder?.path, "GROWTHS": growthLimitFile?.path,
    ]
    var variables: [String: String] = [:]
    for (name, value) in values { variables["BACKUP_TESTING_TAP_\(name)"] = value }
    let preloadedLibraries = getenv("LD_PRELOAD").map { String(cString: $0) }
    if Self.canBePreloaded(path) {
      variables["LD_PRELOAD"] = [path, preloadedLibraries ?? ""].filter { !$0.isEmpty }.joined(
        separator: ":")
    }
    return variables
  }
}
