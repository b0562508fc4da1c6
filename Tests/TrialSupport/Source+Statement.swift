package import BackupDevice
import TestSupport

extension SystemProfile {
  /// The subject of a statement in the article "What iOS does".
  package enum Subject: String, CaseIterable, Hashable, Sendable {
    case layout = "new container"
    /// Which files of each directory a backup contains.
    case backup
    /// Which items a mark excludes from backups, and how reliably.
    case mark
    /// How, when and on which items an app sets a mark.
    case marking
    case markLoss = "loss of a mark"
    /// Which versions of iOS support which mark.
    case systems
    /// Which files iOS deletes to free storage.
    case purge
    /// Which files an update of the app keeps.
    case update
    case restore
    /// Which data belongs in which directory.
    case place
    /// Which files an app must delete itself.
    case deletion
    /// How large backups are, and how long they take.
    case size
    /// When iOS kills an app, and what remains of an interrupted save.
    case ending
    /// Which confidential data must not be in a backup.
    case secrecy
    /// Which files an app cannot read while the device is locked.
    case lock
  }
}

extension SystemProfile.Source {
  /// The source's statement on a subject, from the article "What iOS does"; nil if it has none.
  package func statement(on subject: SystemProfile.Subject) -> String? {
    Self.statements[[key, subject.rawValue]]
  }

  /// The statements by the source's key and the subject. Empty if the article's tables are missing.
  private static let statements: [[String]: String] = {
    let rows = (try? Checkout.table("source", in: "WhatIOSDoes")) ?? []
    return Dictionary(rows.map { (["\($0[0].dropFirst().dropLast())", $0[1]], $0[2]) }) {
      first, _ in
      first
    }
  }()
}
