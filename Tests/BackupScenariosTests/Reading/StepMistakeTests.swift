import Testing
import TrialSupport

@testable import BackupScenarios

@Suite struct `A mistake in a step is reported at its place` {
  @Test(
    arguments: [
      ("{ remove: 7 }", "11: expected a path in the container, found a number"),
      (
        "{ remove: '/etc/passwd' }",
        "11: the path '/etc/passwd' is absolute: write it relative to the container, such as "
          + "'Documents/notes.txt'"
      ),
      (
        "{ remove: 'tmp/../../x' }",
        "11: the path 'tmp/../../x' has the component '..': a path cannot leave the container"
      ),
      (
        "{ restore: { backup: '../out' } }",
        "22: the path '../out' is not allowed here; write a path that begins at the folder that "
          + "holds the scenario folder, such as 'Fixtures/v1'"
      ),
      (
        "{ remove: 'tmp/\\0' }",
        "11: the path 'tmp/\\u{0}' has a NUL character, which no file name can hold"
      ),
      ("{ copy: 'tmp/a' }", "1: 'to' is missing; expected a path in the container"),
      (
        "{ save: 'tmp/a' }",
        "1: how much is saved? Add 'size', such as \"10 KB\", or 'contents', a text"
      ),
      (
        "{ save: 'tmp/a', size: 1, contents: 'x' }",
        "24: both 'size' and 'contents' stand here; keep one"
      ),
      (
        "{ save: 'tmp/a', size: 1, how: 'inplace' }",
        "32: 'inplace' is not known here; did you mean 'inPlace'? "
          + "(expected 'atomically', 'inPlace', 'deleteFirst', 'replaceItem', "
          + "'document', 'fileHandle')"
      ),
      (
        "{ exclude: 'tmp/a', using: 'xattr' }",
        "28: 'xattr' is not known here; expected 'resourceValue', 'extendedAttribute'"
      ),
      (
        "{ createDirectory: 'tmp/a', intermediates: 'no' }",
        "44: expected true or false, found a string"
      ),
      (
        "{ remove: 'tmp/a', throws: 'nosuchfile' }",
        "28: 'nosuchfile' is not known here; did you mean 'noSuchFile'? "
          + "(expected 'noSuchFile', 'fileExists', 'unavailable')"
      ),
      (
        "{ remove: 'tmp/a', throws: 1 }",
        "28: expected one of 'noSuchFile', 'fileExists', 'unavailable', found a number"
      ),
      (
        "{ backup: 'a', throws: true }",
        "24: 'throws' is for steps of the app; this one cannot fail"
      ),
      (
        "{ save: 'tmp/a', size: 1, throws: true, killed: { before: 'write' } }",
        "41: 'throws' says that the step must fail, but 'killed' ends the app first; keep one"
      ),
      ("{ backup: '' }", "11: the label is empty; say when the backup is taken"),
      ("{ backup: null }", "11: expected a label for the backup, found null"),
      ("{ restore: [] }", "12: expected the label of an earlier backup step, found a list"),
      (
        "{ purge: 'lowstorage' }",
        "10: 'lowstorage' is not known here; did you mean 'lowStorage'? "
          + "(expected 'idle', 'lowStorage', 'criticalStorage')"
      ),
      ("{ purge: [] }", "10: the list is empty; expected at least one pattern"),
      (
        "{ purge: ['Documents/**'] }",
        "11: the system purges nothing but Library/Caches and tmp, and of a group's container just "
          + "Library/Caches; begin the pattern with one of them"
      ),
      (
        "{ purge: 3 }",
        "10: expected a list of patterns, or 'idle', 'lowStorage' or 'criticalStorage', found a number"
      ),
      ("{ relaunch: true }", "13: expected {}, found a boolean"),
      ("{ relaunch: { now: true } }", "15: 'now' is not known here; expected {}"),
      ("{ perform: '' }", "12: the name is empty; expected the name of an action"),
      ("{ updateApp: '' }", "14: the version is empty; expected the new version, such as \"2.0\""),
      (
        "{ updateApp: '2', keeping: ['tmp/a'], losing: ['tmp/**'] }",
        "28: 'tmp/a' is what this update is to lose too; leave it out of 'keeping' or of 'losing'"
      ),
      ("{ updateApp: 2 }", "14: expected the new version, such as \"2.0\", found a number"),
      (
        "{ updateApp: '2', losing: ['Documents/**'] }",
        "28: an update keeps Documents, and Library but for Library/Caches; begin the pattern with "
          + "Library/Caches, or with the name of what lies beside Documents and Library, as tmp"
      ),
      (
        "{ expectFiles: {} }",
        "16: nothing is asserted; expected { present: [patterns], absent: [patterns] }"
      ),
      (
        "{ expectFiles: { presnt: [] } }",
        "18: 'presnt' is not known here; did you mean 'present'? (expected 'present', 'absent')"
      ),
      (
        "{ expectBackup: { contains: 'tmp' } }",
        "29: expected a list of patterns, found a string"
      ),
      (
        "{ expectBackup: { contains: [''] } }",
        "30: the pattern '' is empty: name an item, such as 'Documents/notes.txt'"
      ),
      (
        "{ read: 'tmp/a', size: 10 }",
        "9: 10 bytes to save, but nothing is saved here; add ifMissing: \"recreate\""
      ),
      (
        "{ read: 'tmp/a', ifMissing: 'recreate' }",
        "1: how much is saved? Add 'size', such as \"10 KB\", or 'contents', a text"
      ),
      ("{}", "1: the step is empty; say what happens"),
      (
        "{ save: 'tmp/a', size: 1, exclude: 'tmp/a' }",
        "27: a step does one thing, but 'save' and 'exclude' both stand here; make two steps"
      ),
      (
        "'save'",
        "1: expected a step such as { save: \"Documents/a.txt\", size: \"1 KB\" }, found a string"
      ),
      ("{ remove: 'tmp/a', remove: 'tmp/b' }", "20: 'remove' stands here twice; keep one"),
    ])
  func `with what was expected`(step: String, mistake: String) {
    #expect(Trial.mistakes(inStep: step) == [mistake])
  }

  @Test func `and an unknown step with the nearest known one`() throws {
    let mistake = try #require(Trial.mistakes(inStep: "{ exlcude: 'tmp/a' }").first)
    #expect(mistake.hasPrefix("3: there is no step 'exlcude'; did you mean 'exclude'? (expected "))
    #expect(StepKind.keywords.allSatisfy { mistake.contains("'\($0)'") })
  }

  @Test(arguments: [("delete", "remove"), ("Write", "save"), ("mkdir", "createDirectory")])
  func `and a step by another of its names is told the right one`(word: String, step: String) {
    let mistakes = Trial.mistakes(inStep: "{ \(word): 'tmp/a' }")
    #expect(mistakes.first?.contains("there is no step '\(word)'; did you mean '\(step)'?") == true)
  }

  @Test func `and a step like none is told those there are, none of them as meant`() {
    let mistakes = Trial.mistakes(inStep: "{ size: 5 }")
    #expect(mistakes.first?.contains("there is no step 'size'; expected ") == true)
  }

  @Test func `and a word that begins as the right one is told that`() {
    let mistakes = Trial.mistakes(inStep: "{ save: 'tmp/a', size: 1, how: 'atomic' }")
    #expect(mistakes.first?.contains("did you mean 'atomically'?") == true)
  }

  @Test func `and several of one step are all reported, in the order of the file`() {
    let step = "{ save: '../a', size: '1 kb', how: 'fast', throw: true }"
    let columns = Trial.mistakes(inStep: step).compactMap { $0.split(separator: ":").first }
    #expect(columns == ["9", "23", "36", "44"])
  }

  @Test func `on one line, whatever the word holds`() {
    let texts = [
      "{ 'a\\nb': 1 }", "{ relaunch: { 'a\\u0007': 1 } }", "{ remove: 'tmp/a', 'x\\ny': 1 }",
      "{ remove: 'tmp/a', 'x\\ny': 1, 'x\\ny': 2 }", "{ purge: 'low\\nStorage' }",
    ]
    for text in texts {
      let mistakes = Trial.mistakes(inStep: text)
      #expect(!mistakes.isEmpty)
      #expect(mistakes.allSatisfy { !$0.contains { $0.isNewline || $0 == "\u{7}" } })
    }
  }

  @Test func `shortly, however long the word is`() {
    let word = String(repeating: "x", count: 100_000)
    for step in ["{ \(word): 1 }", "{ purge: '\(word)' }", "{ remove: 'a', \(word): 1 }"] {
      #expect(Trial.mistakes(inStep: step).joined().utf8.count < 1000)
    }
  }
}
