import BackupDevice
import BackupRules
import BackupScenarios
import Testing

struct RequirementCatalogueTests {
  /// Every id of the specification's table, by hand: one that is dropped from the code is missed.
  static let specified = [
    "layout.standard-directories", "layout.application-support-absent",
    "backup.documents", "backup.library", "backup.caches-left-out", "backup.tmp-left-out",
    "backup.bundle-left-out", "backup.marked-file-left-out", "backup.marked-directory-left-out",
    "backup.group-container", "backup.extension-container", "purge.group-caches",
    "backup.locations-are-anchored", "backup.system-managed-left-out",
    "backup.save-remnants-left-out", "backup.links-not-followed", "backup.empty-directories",
    "backup.marks-are-guidance", "backup.size",
    "mark.exists-before-set", "mark.reapply-on-save", "mark.lost-on-replace", "mark.kept-in-place",
    "mark.kept-on-move", "mark.kept-on-copy", "mark.can-be-cleared", "mark.own-directories-only",
    "mark.not-on-user-documents", "mark.group-by-directory", "mark.directory-named-for-bundle",
    "mark.legacy-attribute-deprecated", "mark.not-left-to-launch",
    "era.5-0-no-mark", "era.5-0-1-attribute", "era.5-1-resource-value",
    "era.upgrade-honours-marks", "era.5-0-degrade-in-caches",
    "era.way-by-system",
    "purge.caches", "purge.tmp", "purge.idle", "purge.tmp-not-relied-on", "purge.documents-kept",
    "purge.marked-kept",
    "purge.mark-protects-nothing-in-caches", "purge.all-or-nothing", "purge.not-while-running",
    "update.carries-documents-and-library", "update.rest-not-promised",
    "update.container-path-changes", "update.exists-before-use",
    "restore.only-what-was-backed-up", "restore.exists-before-use",
    "restore.backup-switched-off", "restore.recreated-directory-needs-mark",
    "class.critical", "class.support", "class.offline", "class.cached", "class.temporary",
    "class.nonpurgeable-not-in-caches", "class.only-critical-backed-up",
    "class.offline-deleted", "class.cached-deleted", "class.temporary-deleted",
    "class.secret", "class.documents-are-the-users",
  ]

  /// Those that no scenario file can break.
  static let unbreakable: Set = [
    "layout.standard-directories", "backup.bundle-left-out", "purge.documents-kept",
    "purge.marked-kept", "update.carries-documents-and-library",
  ]

  /// The sources of a group's container; a scenario has the app's own only.
  static let beyondScenarios: Set<SystemProfile.Source> = [.appleGroupContainer]

  @Test func `holds exactly the specified rows`() {
    let ids = RequirementCatalogue.all.map(\.id)
    #expect(Set(ids) == Set(Self.specified))
    #expect(ids.count == Self.specified.count, "an id stands there twice")
  }

  @Test(arguments: specified)
  func `finds each row by its id`(_ id: String) throws {
    let requirement = try #require(RequirementCatalogue.requirement(id))
    #expect(requirement.id == id)
  }

  @Test func `finds nothing by a name that is no id`() {
    #expect(RequirementCatalogue.requirement("mark") == nil)
    #expect(RequirementCatalogue.requirement("") == nil)
    #expect(RequirementCatalogue.requirement("Mark.Reapply-On-Save") == nil)
  }

  @Test(arguments: RequirementCatalogue.all)
  func `has ids of an area and a name in lower case`(_ requirement: Scenario.Requirement) throws {
    #expect(requirement.id.wholeMatch(of: /[a-z]+\.[a-z0-9]+(-[a-z0-9]+)*/) != nil)
  }

  @Test(arguments: RequirementCatalogue.all)
  func `states each in whole sentences`(_ requirement: Scenario.Requirement) {
    let statement = requirement.statement
    #expect(statement.hasSuffix("."))
    #expect(statement.count > 20 && statement.count <= 200)
    #expect(!statement.contains("  ") && !statement.contains("\n") && !statement.contains("|"))
    #expect(statement.first?.isUppercase == true || statement.hasPrefix("iOS "))
  }

  @Test(arguments: RequirementCatalogue.all)
  func `names sources that speak of its subject`(_ requirement: Scenario.Requirement) {
    #expect(Set(requirement.sources).count == requirement.sources.count, "a source twice")
    for source in requirement.sources {
      #expect(
        source.statement(on: requirement.subject) != nil,
        "\(source.key) has no word on \(requirement.subject.rawValue)")
    }
  }

  @Test(arguments: RequirementCatalogue.all)
  func `names a source that can carry the evidence`(_ requirement: Scenario.Requirement) {
    let kinds = Set(requirement.sources.map(\.kind))
    switch requirement.evidence {
    case .documented: #expect(kinds.contains(.page), "a post documents nothing")
    case .source, .measured: #expect(kinds.contains(.code))
    case .observed: #expect(!kinds.isDisjoint(with: [.device, .post]))
    case .unverified: #expect(!kinds.contains(.page))
    }
  }

  @Test func `cites every source that the kit knows but those of what no scenario shows`() {
    let known = Set(SystemProfile.Source.allCases).subtracting(Self.beyondScenarios)
    #expect(Set(RequirementCatalogue.all.flatMap(\.sources)) == known)
  }

  @Test func `says why a row cannot be broken for just those that cannot`() {
    let unbreakable = RequirementCatalogue.all.filter { $0.breach.reasonForNone != nil }
    #expect(Set(unbreakable.map(\.id)) == Self.unbreakable)
    #expect(unbreakable.allSatisfy { ($0.breach.reasonForNone ?? "").count > 20 })
  }

  @Test func `takes advice for a breach of one row only`() {
    let advised = RequirementCatalogue.all.filter { $0.breach == .finding(atLeast: .advice) }
    #expect(advised.map(\.id) == ["mark.directory-named-for-bundle"])
  }
}
