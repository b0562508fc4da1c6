#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

/// The temporary folder of containers can have an unusual name, or files that cannot be removed.
@Suite struct TemporaryFolderTests {
  private func workspace(_ command: String) throws -> Workspace {
    try Workspace(scenarios: [
      "a": "{ title: 'x', steps: [{ run: ['/bin/sh', '-c', '\(command)'] }, { backup: 'b' }] }"
    ])
  }

  @Test func `a path that is not UTF-8 is an error`() async throws {
    let run = try await workspace("true").shell(
      "TMPDIR=$PWD/$(printf 't\\377'); export TMPDIR; mkdir \"$TMPDIR\"; \"$TOOL\" run --allow-run")
    #expect(run.errors.contains("TMPDIR: the path is not UTF-8"), "\(run.errors)")
    #expect(run.status == 1)
  }

  #if os(Linux)
  @Test(.enabled(if: canMount, "SKIPPED: this user cannot mount anything"))
  func `each run reports a left folder in which an app has mounted something`() async throws {
    let workspace = try workspace("mkdir tmp/m && mount -t tmpfs none tmp/m")
    let run = try await workspace.shell(
      """
      mkdir t; TMPDIR=$PWD/t; export TMPDIR
      unshare -rm sh -c '"$TOOL" run --allow-run; sed -i "s/mkdir.*tmp.m/true/" Scenarios/a.json5
      "$TOOL" run --allow-run'
      """)
    let warning = "an app's process left this folder behind, and it cannot be removed: "
    #expect(run.errors.components(separatedBy: warning).count == 3, "\(run.errors)")
    // Without the mount, the folder can be removed.
    let last = try await workspace.shell(
      "TMPDIR=$PWD/t; export TMPDIR; \"$TOOL\" run --allow-run; ls -A t")
    #expect(!last.errors.contains(warning) && !last.output.contains("sbt-"))
  }

  private static let canMount = {
    let mount = "unshare -rm mount -t tmpfs none /tmp > /dev/null 2>&1"
    return system(mount) == 0
  }()
  #endif
}
#endif
