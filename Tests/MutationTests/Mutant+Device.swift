import BackupFileTree

@testable import BackupDevice
@testable import BackupScenarios
@testable import BackupVerdicts

extension Mutant {
  /// A kit whose profiles of some versions of iOS are wrong. Without versions, all profiles are
  /// wrong.
  static func profile(
    _ name: String, on versions: [String] = [], near: [String],
    _ change: @escaping @Sendable (inout SystemProfile) -> Void
  ) -> Mutant {
    let versions = versions.compactMap(SystemVersion.init)
    return Mutant(name, of: .function("profile"), near: near) { kit in
      let standard = kit.suite.runner.simulators.profile
      kit.suite.runner.simulators.profile = { version in
        guard var profile = standard(version) else { return nil }
        if versions.isEmpty || versions.contains(version) { change(&profile) }
        return profile
      }
    }
  }

  /// A backup simulator that makes wrong decisions on some items.
  static func backup(
    _ name: String, near: [String] = ["backups/", "marks/"],
    _ changeDecision: @escaping @Sendable (BackupSet.Decision, BackupContext) -> BackupSet.Decision?
  ) -> Mutant {
    Mutant(name, of: .function("backUp"), near: near) { kit in
      let standard = kit.suite.runner.simulators.backUp
      kit.suite.runner.simulators.backUp = { tree, profile, kind in
        let context = BackupContext(tree: tree, profile: profile, kind: kind)
        let backupSet = standard(tree, profile, kind)
        return BackupSet(decisions: backupSet.decisions.compactMap { changeDecision($0, context) })
      }
    }
  }

  /// A runner that performs steps under the wrong versions of iOS.
  static func stepSystems(
    _ name: String, _ applies: @escaping @Sendable (Scenario.Step, SystemVersion) -> Bool
  ) -> Mutant {
    Mutant(name, of: .function("applies"), near: ["eras/one-"]) { kit in
      kit.suite.runner.simulators.applies = { step, system, version in
        applies(step, system) && step.applies(with: version)
      }
    }
  }

  /// A runner that performs steps with the wrong versions of the app.
  static func stepVersions(
    _ name: String, _ applies: @escaping @Sendable (Scenario.Step, String) -> Bool
  ) -> Mutant {
    Mutant(name, of: .function("applies"), near: ["updates/migrated-"]) { kit in
      kit.suite.runner.simulators.applies = { step, system, version in
        step.applies(on: system) && applies(step, version)
      }
    }
  }

  /// A purge simulator that returns a wrong container.
  static func purge(
    _ name: String, near: [String] = ["purge/"],
    _ change: @escaping @Sendable (inout FileTree, _ before: FileTree, SystemProfile) -> Void
  ) -> Mutant {
    Mutant(name, of: .function("purge"), near: near) { kit in
      let standard = kit.suite.runner.simulators.purge
      kit.suite.runner.simulators.purge = { before, profile, pressure in
        var tree = standard(before, profile, pressure)
        change(&tree, before, profile)
        return tree
      }
    }
  }

  /// An update simulator that returns a wrong container.
  static func update(
    _ name: String, near: [String] = ["updates/"],
    _ change: @escaping @Sendable (inout FileTree, _ before: FileTree) -> Void
  ) -> Mutant {
    Mutant(name, of: .function("update"), near: near) { kit in
      let standard = kit.suite.runner.simulators.update
      kit.suite.runner.simulators.update = { before, update, keeping, losing in
        var tree = standard(before, update, keeping, losing)
        change(&tree, before)
        return tree
      }
    }
  }

  /// An offload simulator that returns a wrong container.
  static func offload(
    _ name: String, near: [String] = ["removal/"],
    _ change: @escaping @Sendable (inout FileTree, _ before: FileTree) -> Void
  ) -> Mutant {
    Mutant(name, of: .function("offload"), near: near) { kit in
      let standard = kit.suite.runner.simulators.offload
      kit.suite.runner.simulators.offload = { before, offload in
        var tree = standard(before, offload)
        change(&tree, before)
        return tree
      }
    }
  }

  /// A restore simulator that returns a wrong container.
  static func restore(
    _ name: String, near: [String] = ["restore/", "real-world/", "layout/"],
    _ change: @escaping @Sendable (inout FileTree, _ before: FileTree, BackupSet) -> Void
  ) -> Mutant {
    Mutant(name, of: .function("restore"), near: near) { kit in
      let standard = kit.suite.runner.simulators.restore
      kit.suite.runner.simulators.restore = { before, restore, backupSet in
        var tree = standard(before, restore, backupSet)
        change(&tree, before, backupSet)
        return tree
      }
    }
  }
}

/// The input of a backup: the container, the version of iOS, and the kind of backup.
struct BackupContext: Sendable {
  let tree: FileTree
  let profile: SystemProfile
  let kind: SystemProfile.BackupKind

  func marks(on path: ContainerPath) -> ExclusionMark { tree[path]?.marks ?? [] }
}

extension BackupSet.Decision {
  /// The decision to include the same item.
  var included: BackupSet.Decision { deciding(.included(despite: [])) }

  /// Returns the decision to leave the same item out.
  func leftOut(_ reason: BackupSet.LeftOutReason) -> BackupSet.Decision {
    deciding(.leftOut(reason))
  }

  private func deciding(_ verdict: Verdict) -> BackupSet.Decision {
    BackupSet.Decision(path: path, kind: kind, verdict: verdict)
  }
}
