import BackupDevice
import BackupRules
import BackupScenarios
import Testing
import TrialSupport

struct RequirementCatalogueTests {
  /// Those that no scenario file can break.
  static let unbreakable: Set = [
    "layout.standard-directories", "backup.bundle-left-out", "purge.documents-kept",
    "purge.marked-kept", "update.carries-documents-and-library",
  ]

  /// The sources of a group's container; a scenario has the app's own only.
  static let beyondScenarios: Set<SystemProfile.Source> = [
    .appleGroupContainer, .appleOffload, .appleManagedApps, .applePurgeable, .webKit,
    .webKitStorage,
  ]

  @Test func `has just the ids that scenarios can cite`() {
    let ids = RequirementCatalogue.all.map(\.id)
    #expect(ids == Scenario.requirementIDs)
    #expect(Set(ids).count == ids.count, "an id stands there twice")
  }

  @Test func `names sources that speak of its subject`() {
    for requirement in RequirementCatalogue.all {
      #expect(Set(requirement.sources).count == requirement.sources.count, "a source twice")
      for source in requirement.sources {
        #expect(
          source.statement(on: requirement.subject) != nil,
          "\(source.key) has no word on \(requirement.subject.rawValue)")
      }
    }
  }

  @Test func `names a source that can carry the evidence`() {
    for requirement in RequirementCatalogue.all {
      let kinds = Set(requirement.sources.map(\.kind))
      switch requirement.evidence {
      case .documented, .byOmission: #expect(kinds.contains(.page), "a post documents nothing")
      case .source, .measured: #expect(kinds.contains(.code))
      case .observed: #expect(!kinds.isDisjoint(with: [.device, .post]))
      case .unverified: #expect(!kinds.contains(.page))
      }
    }
  }

  @Test func `cites every source that the kit knows but those of what no scenario shows`() {
    let known = Set(SystemProfile.Source.allCases).subtracting(Self.beyondScenarios)
    #expect(Set(RequirementCatalogue.all.flatMap(\.sources)) == known)
  }

  @Test func `says why a row cannot be broken for just those that cannot`() {
    let unbreakable = RequirementCatalogue.all.filter { $0.reasonForNoBreach != nil }
    #expect(Set(unbreakable.map(\.id)) == Self.unbreakable)
    #expect(unbreakable.allSatisfy { ($0.reasonForNoBreach ?? "").count > 20 })
  }

  @Test func `takes advice for a breach of one row only`() {
    let advised = RequirementCatalogue.all.filter { $0.breach == .finding(atLeast: .advice) }
    #expect(advised.map(\.id) == ["mark.directory-named-for-bundle"])
  }
}

extension SystemProfile.Source {
  fileprivate enum Kind {
    /// A page of Apple's: what it says is documented.
    case page
    /// A developer's post, or what is known by one: the author observed what it says.
    case post
    case code
    case device
  }

  /// Whose word it is, which bounds the evidence that it can carry.
  fileprivate var kind: Kind {
    switch self {
    case .appleOptimizing, .appleResourceValue, .appleResourceKey, .appleQA1719,
      .appleGuidelines2011, .appleFSPG, .appleFileSystem, .appleAppGuide, .appleGroupContainer,
      .appleAPNs, .appleKeychain, .appleOffload, .applePlatformSecurity, .appleManagedApps,
      .applePurgeable, .webKitStorage:
      .page
    case .appReview223, .eidinger, .ios5BackupPost, .refusedWrites, .webViewLosses: .post
    case .swiftFoundation, .appleCopyfile, .realmSwift, .sqlite, .webKit: .code
    case .deviceLog501, .observed: .device
    @unknown default: .post
    }
  }
}
