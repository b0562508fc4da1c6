import BackupScenarios
import TrialSupport

/// An app with every kind of item that a backup folder may have.
enum Sample {
  /// The steps that save the items and take a backup.
  static let steps = [
    "{ save: 'Documents/list.json', contents: '[1, 2]' }",
    "{ save: 'Documents/映画 🎬.txt', contents: 'odd' }",
    "{ save: 'Documents/e\\u0301.txt', contents: 'composed' }",
    "{ save: 'Documents/nothing', size: 0 }",
    "{ createDirectory: 'Documents/Empty' }",
    "{ link: 'Documents/Previews', to: 'Library/Caches' }",
    "{ save: 'Documents/notes.db', contents: 'SQLite format 3\\u0000' }",
    "{ append: 'Documents/notes.db', size: '40 KB' }",
    "{ save: 'Documents/notes.db-wal', size: '9 KB', how: 'inPlace' }",
    "{ save: 'Documents/movie.mp4', size: '7 KB' }",
    "{ exclude: 'Documents/movie.mp4' }",
    "{ save: 'Library/Caches/poster.png', size: 30 }",
    "{ save: 'tmp/part', size: 3 }",
    "{ save: 'group.com.example.app:/widget.json', size: 20 }",
    "{ save: 'group.com.example.app:/Library/Caches/poster.png', size: 30 }",
    "{ save: 'com.example.app.widget:/Documents/choice.json', size: 40 }",
    "{ save: 'com.example.app.widget:/tmp/part', size: 50 }",
    "{ backup: 'at night' }",
  ]

  static func scenario() throws -> Scenario {
    try Trial.scenario(
      steps,
      "app: { groups: ['group.com.example.app'], extensions: ['com.example.app.widget'] }")
  }
}
