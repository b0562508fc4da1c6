package import BackupDevice
import TestSupport

extension SystemProfile {
  /// What a statement about iOS is about.
  package enum Subject: String, CaseIterable, Hashable, Sendable {
    case layout = "new container"
    /// What a backup holds of each place.
    case backup
    /// Which items a mark keeps out, and how surely.
    case mark
    /// How and when an app sets a mark, and on what.
    case marking
    case markLoss = "loss of a mark"
    /// Which versions of iOS have which mark.
    case systems
    /// What the system deletes to make space.
    case purge
    /// What an update of the app carries over.
    case update
    case restore
    /// Which data belongs where.
    case place
    /// What an app must delete itself.
    case deletion
    /// How large backups are, and how long they take.
    case size
    /// When the system ends an app, and what that leaves of a save.
    case ending
    /// What must not be in a backup because it is confidential.
    case secrecy
    /// What a locked device keeps from an app.
    case lock
  }
}

extension SystemProfile.Source {
  /// What the article 'What iOS does' says that the source says of a subject; nil if it says nothing.
  package func statement(on subject: SystemProfile.Subject) -> String? {
    Self.statements[[key, subject.rawValue]]
  }

  /// The statements by the source's key and the subject; none where the article has no such table.
  private static let statements: [[String]: String] = {
    let rows = (try? Checkout.table("source", in: "WhatIOSDoes")) ?? []
    return Dictionary(rows.map { (["\($0[0].dropFirst().dropLast())", $0[1]], $0[2]) }) {
      first, _ in
      first
    }
  }()
}
