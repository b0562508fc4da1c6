import BackupFileTree

@testable import BackupDevice

extension Mutant {
  /// Wrong effects of marks.
  static let marks: [Mutant] =
    effects + eras + [
      .backup("ignored guidance kept to", near: ["guidance/"]) { decision, context in
        guard context.profile.guidance == .ignored, decision.isIncluded,
          !context.marks(on: decision.path).isEmpty
        else { return decision }
        return decision.leftOut(.ownMark(.resourceValue))
      },
      .backup("mark not honoured unseen", near: ["guidance/"]) { decision, _ in
        decision.isIncluded ? decision.included : decision
      },
    ]

  /// Wrong effects of a mark on its item and on the contents of a directory.
  private static let effects: [Mutant] = [
    .backup("mark on a file does nothing", near: ["marks/cleared"]) { decision, _ in
      guard decision.size != nil, case .ownMark = decision.reason else { return decision }
      return decision.included
    },
    .backup("mark on a directory does nothing", near: ["backups/within-budget"]) { decision, _ in
      guard decision.size == nil, case .ownMark = decision.reason else { return decision }
      return decision.included
    },
    .backup("mark not inherited by a directory's content", near: ["backups/within-budget"]) {
      decision, _ in
      guard case .markedDirectory = decision.reason else { return decision }
      return decision.included
    },
    .backup("mark inherited one level deep only", near: ["directories/nested-marks"]) {
      decision, _ in
      guard case .markedDirectory(let directory) = decision.reason,
        decision.path.components.count > directory.components.count + 1
      else { return decision }
      return decision.included
    },
    .backup("marked directory itself stored, empty", near: ["backups/within-budget"]) {
      decision, _ in
      guard case .directory = decision.kind, case .ownMark = decision.reason else {
        return decision
      }
      return BackupSet.Decision(
        path: decision.path, kind: .directory(isEmpty: true), verdict: .included(despite: []))
    },
    .backup("mark holds for the directory beside", near: ["marks/directory-not-the-one-beside"]) {
      decision, context in
      guard decision.isIncluded, let parent = decision.path.parent,
        let marked = context.tree[parent]?.children.entries.first(where: {
          $0.item.isDirectory && !$0.item.marks.isEmpty
        })
      else { return decision }
      return decision.leftOut(.markedDirectory(parent.appending(marked.name)))
    },
    .backup("mark on a system directory does nothing", near: ["marks/documents-directory"]) {
      decision, context in
      guard decision.reason?.isByMark == true,
        (decision.path.ancestors + [decision.path]).contains(where: {
          $0.ownLocation != nil && !context.marks(on: $0).isEmpty
        })
      else { return decision }
      return decision.included
    },
  ]

  /// The two newest versions of iOS.
  static let newest = SystemProfile.all.suffix(2).map(\.version.description)

  /// Wrong marks for versions of iOS.
  private static let eras: [Mutant] = [
    .profile("5.0 honours the attribute", on: ["5.0"], near: ["eras/5-0-marks-ignored"]) {
      $0.honouredMarks.value = .extendedAttribute
    },
    .profile("5.0 has the resource value", on: ["5.0"], near: ["eras/5-0-resource-value-caught"]) {
      $0.availableMarks.value.formUnion(.resourceValue)
    },
    .profile("5.0 has no attribute", on: ["5.0"], near: ["eras/5-0-marks-ignored"]) {
      $0.availableMarks.value = []
    },
    .profile("5.0 deprecates the attribute", on: ["5.0"], near: ["eras/5-0-marks-ignored"]) {
      $0.deprecatedMarks.value = .extendedAttribute
    },
    .profile("5.0.1 honours nothing", on: ["5.0.1"], near: ["eras/"]) {
      $0.honouredMarks.value = []
    },
    .profile(
      "5.0.1 has the resource value", on: ["5.0.1"], near: ["eras/resource-value-before-5-1"]
    ) {
      $0.availableMarks.value.formUnion(.resourceValue)
    },
    .profile("5.0.1 has no attribute", on: ["5.0.1"], near: ["eras/"]) {
      $0.availableMarks.value = []
    },
    .profile("5.0.1 deprecates the attribute", on: ["5.0.1"], near: ["eras/"]) {
      $0.deprecatedMarks.value = .extendedAttribute
    },
    .profile("5.1 honours nothing", on: ["5.1"], near: ["eras/5-1-resource-value"]) {
      $0.honouredMarks.value = []
    },
    .profile("5.1 honours the attribute", on: ["5.1"], near: ["eras/attribute-from-5-1"]) {
      $0.honouredMarks.value.formUnion(.extendedAttribute)
    },
    .profile("5.1 has no resource value", on: ["5.1"], near: ["eras/5-1-resource-value"]) {
      $0.availableMarks.value = .extendedAttribute
    },
    .profile("5.1 has no attribute", on: ["5.1"], near: ["eras/attribute-from-5-1"]) {
      $0.availableMarks.value = .resourceValue
    },
    .profile("5.1 deprecates nothing", on: ["5.1"], near: ["eras/attribute-from-5-1"]) {
      $0.deprecatedMarks.value = []
    },
    .profile(
      "newest systems honour the attribute", on: newest, near: ["eras/attribute-from-5-1"]
    ) {
      $0.honouredMarks.value.formUnion(.extendedAttribute)
    },
    .profile(
      "newest systems have no attribute", on: newest, near: ["eras/attribute-from-5-1"]
    ) {
      $0.availableMarks.value = .resourceValue
    },
    .profile(
      "newest systems deprecate nothing", on: newest, near: ["eras/attribute-from-5-1"]
    ) {
      $0.deprecatedMarks.value = []
    },
    .profile("newest systems honour nothing", on: newest, near: ["marks/"]) {
      $0.honouredMarks.value = []
    },
  ]
}
