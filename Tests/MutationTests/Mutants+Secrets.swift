import BackupCollections
import BackupDevice
import BackupFileTree

@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

extension Mutant {
  /// Wrong decisions of `secret-backed-up`, and of other rules on secrets and keys.
  static let secrets: [Mutant] = [
    .finding(
      "marked secret passed over where marks are ignored", of: SecretBackedUpRule(),
      near: ["guidance/marked-secret"]
    ) { finding, history in
      finding.severity == .error && history.scenario.guidance == .ignored ? nil : finding
    },
    .finding("secret that only a mark keeps out passed over", of: SecretBackedUpRule()) {
      finding, _ in finding.severity == .warning ? nil : finding
    },
    .extra(
      "secret in Caches or tmp reported too", by: SecretBackedUpRule(),
      near: ["classes/secret-not-on-disk"]
    ) { history in
      history.files(of: .secret).filter { $0.1.location?.isPurgeable == true }
    },
    .extra(
      "secret reported at each save", by: SecretBackedUpRule(),
      near: ["classes/secret-in-a-preference"]
    ) { $0.files(of: .secret) },
    .extra(
      "secret reported as purgeable too", by: UserDataPurgeableRule(),
      near: ["classes/secret-not-on-disk"]
    ) { history in
      history.files(of: .secret).filter { $0.1.location?.isPurgeable == true }
    },
    .extra(
      "secret reported too", by: RecreatableDataBackedUpRule(), near: ["guidance/marked-secret"]
    ) { history in
      history.files(of: .secret).filter { history.holders(of: [$0.1])[$0.1] != nil }
    },
    .extra("lost mark of a secret reported", by: ReapplyOnSaveRule(), near: ["saving/"]) {
      history in
      history.moments.flatMap { moment in
        moment.ledger.pendingMarks.elements.filter { history.dataClass(of: $0.key) == .secret }
          .map { ($0.value.lostInStep ?? $0.value.markedInStep, $0.key) }
      }
    },
    .extra(
      "database of secrets reported", by: IncompleteGroupRule(),
      near: ["eras/secret-marked-in-both-eras"]
    ) { history in
      history.files(of: .secret).filter { DatabaseLibrary(keeping: $0.1.name) != nil }
    },
    .finding("key that stays behind passed over", of: SealedFileUnreadableRule()) { finding, _ in
      finding.message.contains("is the user's") ? nil : finding
    },
    .finding("key made anew and nothing read passed over", of: SealedFileUnreadableRule()) {
      finding, _ in finding.message.contains("any more") ? nil : finding
    },
    .finding("device value in the keychain passed over", of: ValueOfOtherDeviceRule()) {
      finding, _ in finding.message.contains("'device-id'") ? nil : finding
    },
    .reportedForSecrets(ExistsBeforeSetRule(), near: ["saving/marked-secret-saved-again"]),
    .reportedForSecrets(MarkUnavailableRule(), near: ["eras/secret-marked-in-both-eras"]),
    .reportedForSecrets(DeprecatedMarkRule(), near: ["eras/secret-marked-in-both-eras"]),
  ]

  /// Wrong decisions of `refused-place`.
  static let refused: [Mutant] = [
    .finding("only what is in the Inbox reported", of: RefusedPlaceRule()) { finding, _ in
      finding.path?.parent == nil ? nil : finding
    },
    .finding("what is in the Inbox passed over", of: RefusedPlaceRule()) { finding, _ in
      finding.path?.parent?.description == "Documents/Inbox" ? nil : finding
    },
    .extra(
      "what is right in the container reported under every system", by: RefusedPlaceRule(),
      near: ["eras/beside-documents-up-to-8"]
    ) { history in
      guard let first = SystemVersion("9"), history.transcript.variant.system < first else {
        return []
      }
      return history.files(of: .critical).filter { $0.1.components.first?.string == "Exports" }
    },
    .extra(
      "what the system puts into the Inbox reported", by: RefusedPlaceRule(),
      near: ["classes/inbox-emptied"]
    ) { history in
      history.files(of: .temporary)
    },
    .unexplained(RefusedPlaceRule()),
  ]

  /// Wrong decisions of `misplaced-item` and `directory-name`.
  static let misplaced: [Mutant] =
    mutantsIgnoring([.cached, .temporary, .support], by: MisplacedItemRule()) + [
      .finding("support data as bad as the rest", of: MisplacedItemRule()) { finding, _ in
        finding.with(severity: .warning)
      },
      .finding("only what is in Documents reported", of: MisplacedItemRule()) { finding, _ in
        finding.path?.location == .documents ? finding : nil
      },
      .extra(
        "marked offline data in Documents reported", by: MisplacedItemRule(),
        near: ["classes/offline-in-documents"]
      ) { history in
        history.files(of: .offline).filter { $0.1.location == .documents }
      },
      .extra(
        "support data in Application Support reported", by: MisplacedItemRule(),
        near: ["classes/each-in-its-place"]
      ) { history in
        history.files(of: .support).filter { $0.1.location == .applicationSupport }
      },
      .extra(
        "cached file in Caches reported", by: MisplacedItemRule(),
        near: ["classes/each-in-its-place"]
      ) { history in
        history.files(of: .cached).filter { $0.1.location == .caches }
      },
      .extra(
        "temporary file in tmp reported", by: MisplacedItemRule(), near: ["classes/"]
      ) { history in
        history.files(of: .temporary).filter { $0.1.location == .temporary }
      },
      .extra("file of the Inbox reported", by: MisplacedItemRule(), near: ["classes/inbox-marked"])
      { history in
        (history.files(of: .cached) + history.files(of: .support)).filter { $0.1.isInInbox }
      },
      .extra(
        "what a backup holds reported twice", by: MisplacedItemRule(),
        near: ["classes/cached-in-documents"]
      ) { history in
        history.files(of: .cached).filter { history.holders(of: [$0.1])[$0.1] != nil }
      },
      .extra(
        "the guidelines' own directory reported", by: DirectoryNameRule(),
        near: ["classes/offline-in-documents"]
      ) { history in
        history.createdDirectories.filter { $0.1.name.string == "Private Documents" }
      },
    ]

  /// A rule on marks that also reports secrets, although no mark protects a secret.
  private static func reportedForSecrets(_ rule: any Rule, near: [String]) -> Mutant {
    .extra("reported of a secret too", by: rule, near: near) { $0.files(of: .secret) }
  }
}
