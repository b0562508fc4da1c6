import BackupDevice
import BackupDiagnostics

extension ScenarioReader {
  /// Notes each system in an `on` that the device never has when the step's turn comes: it would
  /// be passed over without a word.
  ///
  /// Where a step or the systems could not be read, nothing is known of that.
  func refuseSystemsNeverThere(
    _ steps: [Scenario.Step?], launch: [Scenario.Step?], systems: [NamedSystem]
  ) {
    let read = steps.compactMap(\.self)
    guard read.count == steps.count, !systems.isEmpty,
      (steps + launch).contains(where: { $0?.systems != nil })
    else { return }
    let runs = PlannedRun.all(of: read, under: systems.map(\.version))
    for (index, step) in read.enumerated() where step.systems != nil {
      refuse(step, whereDeviceHas: Set(runs.compactMap { $0.turns[index].system }))
    }
    let first = Set(systems.map(\.version))
    let all = first.union(runs.flatMap { $0.turns.compactMap(\.system) })
    for step in launch.compactMap(\.self) { refuse(step, whereDeviceHas: all) }
  }

  /// Notes the systems of a step's `on` that are none of those which the device has.
  private func refuse(_ step: Scenario.Step, whereDeviceHas known: Set<SystemVersion>) {
    guard let systems = step.systems else { return }
    let all = known.sorted().map { "iOS \($0)" }.joined(separator: ", ")
    for system in systems.value.subtracting(known).sorted() {
      collector.note(
        "the device never has iOS \(system) at this step, just \(all)", at: systems.position)
    }
  }
}
