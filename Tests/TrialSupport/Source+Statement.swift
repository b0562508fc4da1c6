package import BackupDevice
import TestSupport

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
