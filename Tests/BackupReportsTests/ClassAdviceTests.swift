import BackupDevice
import BackupFileTree
import BackupRules
import BackupScenarios
import BackupVerdicts
import Foundation
import TestSupport
import Testing
import TrialSupport

@testable import BackupReports

@Suite struct `The advice on classes` {
  @Test(arguments: DataClass.allCases)
  func `exists for every oldest system, and covers each topic`(_ dataClass: DataClass) {
    let advice = ClassAdvice.all(on: [dataClass])
    #expect(advice.flatMap(\.oldestSystems) == SystemProfile.all.map(\.version))
    for entry in advice {
      #expect(entry.recommendations.map(\.topic) == ClassAdvice.Topic.allCases)
    }
  }

  @Test func `differs between systems that mark in different ways`() {
    let systems = ClassAdvice.all(on: [.offline]).map(\.systemsInWords)
    #expect(systems == ["5.0", "5.0.1", "5.1 and later"])
    #expect(ClassAdvice.all(on: [.cached]).map(\.systemsInWords) == ["any"])
  }

  @Test func `cites what speaks of it`() {
    for advice in ClassAdvice.all() {
      for recommendation in advice.recommendations {
        for source in recommendation.sources {
          #expect(
            recommendation.topic.subjects.contains { source.statement(on: $0) != nil },
            "\(source.key) has no word on '\(recommendation.text)'")
        }
      }
    }
  }

  @Test(arguments: DataClass.allCases)
  func `followed to the letter breaks no rule, on any system`(_ dataClass: DataClass) async throws {
    for profile in SystemProfile.all {
      guard let place = dataClass.place(on: profile) else { continue }
      let file = "\(place.path)/com.example.app/a"
      let marks = dataClass.requiredMark(on: profile)
      let way = marks.contains(.resourceValue) ? "resourceValue" : "extendedAttribute"
      let steps =
        [
          "{ createDirectory: '\(place.path)/com.example.app' }",
          "{ save: '\(file)', size: 9 }",
        ] + (marks.isEmpty ? [] : ["{ exclude: '\(file)', using: '\(way)' }"])
        + (dataClass == .temporary ? ["{ remove: '\(file)' }"] : [])
        + ["{ backup: 'a' }", "{ relaunch: {} }", "{ read: '\(file)', ifMissing: 'skip' }"]
      let findings = try await Trial.verdicts(
        steps, "system: '\(profile.version)', files: { '**': '\(dataClass.rawValue)' }")
      #expect(findings == [], "iOS \(profile.version)")
    }
  }

  @Test func `names no directory and no mark for a secret`() throws {
    let newest = try #require(SystemProfile.newest)
    #expect(DataClass.secret.place(on: newest) == nil)
    #expect(DataClass.secret.requiredMark(on: newest).isEmpty)
    let recommendations = ClassAdvice.all(on: [.secret]).flatMap(\.recommendations)
    #expect(recommendations.first?.text.hasPrefix("the keychain, for this device only") == true)
  }

  @Test func `is in the article as the command prints it`() throws {
    let rows = try Checkout.table("class", in: "Recipes")
    let newest = try #require(SystemProfile.newest)
    let markdown = try ClassAdvice.formats.format(named: "markdown").text(
      ClassAdvice.all().filter { $0.oldestSystems.contains(newest.version) })
    let printed = markdown.split(separator: "\n").dropFirst(2).map { line in
      line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
    }
    #expect(rows == printed)
  }
}

extension ClassAdvice.Topic {
  /// The subjects of this topic. A cited source must have a statement on one of them.
  fileprivate var subjects: [SystemProfile.Subject] {
    switch self {
    case .place: [.place, .secrecy]
    case .mark: [.marking, .mark, .backup, .systems, .secrecy]
    case .check: [.purge, .restore, .update, .layout, .place, .secrecy]
    case .delete: [.deletion, .secrecy]
    }
  }
}
