import BackupDiagnostics
import BackupVerdicts

extension Command {
  static let convert = Command(
    name: "convert", operands: "",
    summary: "Rewrites the golden files of an earlier format in the present one.",
    discussion: """
      It runs no scenario, so the files say the same as before. Nothing is written if one of them
      cannot be read.
      """,
    options: [.scenarios, .golden]
  ) { arguments in
    let goldens = try arguments.goldens()
    let ids = try goldens.ids()
    let texts = try ids.map { (id: $0, text: try goldens.convertedText($0)) }
    for (id, text) in texts {
      if let text { try goldens.write(text, for: id) }
    }
    let convertedCount = texts.count { $0.text != nil }
    try Output.print(
      "\(goldens.folder): \(convertedCount.counted("golden file")) converted; "
        + "\(ids.count - convertedCount) had the present format".onOneLine + "\n")
    return .success
  }
}
