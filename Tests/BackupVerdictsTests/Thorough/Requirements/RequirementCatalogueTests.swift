import BackupDevice
import BackupRules
import BackupScenarios
import Testing
import TrialSupport

struct RequirementCatalogueTests {
  /// Requirements that no scenario file can break.
  static let unbreakable: Set = [
    "layout.standard-directories", "backup.bundle-left-out", "purge.documents-kept",
    "purge.marked-kept", "update.carries-documents-and-library",
  ]

  /// Sources for facts that no scenario shows. For example, a scenario has no group containers.
  static let beyondScenarios: Set<SystemProfile.Source> = [
    .appleGroupContainer, .appleOffload, .appleManagedApps, .applePurgeable, .webKit,
    .webKitStorage,
  ]

  @Test func `has exactly the ids that scenarios can cite`() {
    let ids = RequirementCatalogue.all.map(\.id)
    #expect(ids == Scenario.requirementIDs)
    #expect(Set(ids).count == ids.count, "an id stands there twice")
  }

  @Test func `names sources with a statement on the subject`() {
    for requirement in RequirementCatalogue.all {
      #expect(Set(requirement.sources).count == requirement.sources.count, "a source twice")
      for source in requirement.sources {
        #expect(
          source.statement(on: requirement.subject) != nil,
          "\(source.key) has no word on \(requirement.subject.rawValue)")
      }
    }
  }

  @Test func `names a source that can support the evidence`() {
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

  @Test
  func `cites every source that the kit knows, except those for facts that no scenario shows`() {
    let known = Set(SystemProfile.Source.allCases).subtracting(Self.beyondScenarios)
    #expect(Set(RequirementCatalogue.all.flatMap(\.sources)) == known)
  }

  @Test func `gives a reason for exactly the requirements that cannot be broken`() {
    let unbreakable = RequirementCatalogue.all.filter { $0.reasonForNoBreach != nil }
    #expect(Set(unbreakable.map(\.id)) == Self.unbreakable)
    #expect(unbreakable.allSatisfy { ($0.reasonForNoBreach ?? "").count > 20 })
  }

  @Test func `counts advice as a breach of one requirement only`() {
    let advised = RequirementCatalogue.all.filter { $0.breach == .finding(atLeast: .advice) }
    #expect(advised.map(\.id) == ["mark.directory-named-for-bundle"])
  }
}

extension SystemProfile.Source {
  fileprivate enum Kind {
    /// A page by Apple. What it says is documented.
    case page
    /// A developer's post, or a fact that is known from a post. The author observed the fact.
    case post
    case code
    case device
  }

  /// The kind of the source, which limits the evidence that it can support.
  fileprivate var kind: Kind {
    switch self {
    case .appleOptimizing, .appleResourceValue, .appleResourceKey, .appleQA1719,
      .appleGuidelines2011, .appleFSPG, .appleFileSystem, .appleAppGuide, .appleGroupContainer,
      .appleAPNs, .appleKeychain, .appleOffload, .applePlatformSecurity, .appleManagedApps,
      .applePurgeable, .webKitStorage:
      .page
    case .appReview223, .eidinger, .ios5BackupPost, .lockedDefaults, .refusedWrites, .webViewLosses:
      .post
    case .swiftFoundation, .appleCopyfile, .realmSwift, .sqlite, .webKit: .code
    case .deviceLog501, .observed: .device
    }
  }
}
