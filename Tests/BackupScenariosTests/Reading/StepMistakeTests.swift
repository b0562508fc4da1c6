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
        "22: the path '../out' is not allowed here; write a path relative to the folder that "
          + "contains the scenario folder, such as 'Fixtures/v1'"
      ),
      (
        "{ remove: 'tmp/\\0' }",
        "11: the path 'tmp/\\u{0}' has a NUL character, which no file name can contain"
      ),
      ("{ copy: 'tmp/a' }", "1: 'to' is missing; expected a path in the container"),
      (
        "{ save: 'tmp/a' }",
        "1: the size is missing; add 'size', such as \"10 KB\", or 'contents', a text"
      ),
      (
        "{ save: 'tmp/a', size: 1, contents: 'x' }",
        "24: 'size' and 'contents' cannot both be given; keep one"
      ),
      (
        "{ save: 'tmp/a', size: 1, how: 'inplace' }",
        "32: unknown way to save 'inplace'; did you mean 'inPlace'? (expected one of atomically, "
          + "inPlace, deleteFirst, replaceItem, document, fileHandle)"
      ),
      (
        "{ exclude: 'tmp/a', using: 'xattr' }",
        "28: unknown mark 'xattr'; expected one of resourceValue, extendedAttribute"
      ),
      (
        "{ createDirectory: 'tmp/a', intermediates: 'no' }",
        "44: expected true or false, found a string"
      ),
      (
        "{ remove: 'tmp/a', throws: 'nosuchfile' }",
        "28: unknown error 'nosuchfile'; did you mean 'noSuchFile'? (expected one of noSuchFile, "
          + "fileExists, unavailable)"
      ),
      (
        "{ remove: 'tmp/a', throws: 1 }",
        "28: expected one of noSuchFile, fileExists, unavailable, found a number"
      ),
      (
        "{ backup: 'a', throws: true }",
        "24: 'throws' is only for steps of the app; remove it, because this step cannot fail"
      ),
      (
        "{ save: 'tmp/a', size: 1, throws: true, killed: { before: 'write' } }",
        "41: 'throws' requires the step to fail, but 'killed' decides how it ends; keep one"
      ),
      (
        "{ perform: 'a', storageFull: {}, throws: true }",
        "17: 'throws' requires the step to fail, but 'storageFull' decides how it ends; keep one"
      ),
      (
        "{ perform: 'a', killed: { before: 'write' }, storageFull: {} }",
        "46: 'killed' and 'storageFull' cannot both end the step; make two scenarios"
      ),
      (
        "{ save: 'tmp/a', size: 1, storageFull: {} }",
        "40: 'storageFull' is only for steps that run the app's own code, and for 'relaunch'"
      ),
      ("{ backup: '' }", "11: the label is empty; write when the backup is taken"),
      ("{ backup: null }", "11: expected a label for the backup, found null"),
      ("{ restore: [] }", "12: expected the label of an earlier backup step, found a list"),
      (
        "{ purge: 'lowstorage' }",
        "10: unknown purge 'lowstorage'; did you mean 'lowStorage'? (expected one of idle, "
          + "lowStorage, criticalStorage)"
      ),
      ("{ purge: 'tmp/**' }", "10: patterns must be in a list; write [\"tmp/**\"]"),
      ("{ purge: [] }", "10: the list is empty; expected at least one pattern"),
      (
        "{ purge: ['Documents/**'] }",
        "11: the system purges only Library/Caches and tmp, and only Library/Caches in a group's "
          + "container; begin the pattern with one of them"
      ),
      (
        "{ purge: 3 }",
        "10: expected a list of patterns, or 'idle', 'lowStorage' or 'criticalStorage', found a number"
      ),
      ("{ relaunch: true }", "13: expected {}, found a boolean"),
      ("{ relaunch: { now: true } }", "15: unknown key 'now'; expected {}"),
      ("{ perform: '' }", "12: the name is empty; expected the name of an action"),
      (
        "{ perform: 'a', id: 1 }",
        "17: unknown key 'id'; if this is an argument of the action, write with: { id: … }"
      ),
      ("{ updateApp: '' }", "14: the version is empty; expected the new version, such as \"2.0\""),
      (
        "{ updateApp: '2', keeping: ['tmp/a'], losing: ['tmp/**'] }",
        "28: 'tmp/a' is in both 'keeping' and 'losing'; remove it from one of them"
      ),
      ("{ updateApp: 2 }", "14: expected the new version, such as \"2.0\", found a number"),
      (
        "{ updateApp: '2', losing: ['Documents/**'] }",
        "28: an update always keeps Documents and Library, except Library/Caches; begin the "
          + "pattern with Library/Caches, or with a name beside Documents and Library, such as "
          + "tmp"
      ),
      (
        "{ expectFiles: {} }",
        "16: nothing is asserted; expected { present: [patterns], absent: [patterns] }"
      ),
      (
        "{ expectFiles: { presnt: [] } }",
        "18: unknown key 'presnt'; did you mean 'present'? (expected one of present, absent)"
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
        "9: this step saves nothing, so it has no use for 'size', 'contents' or 'sealedWith'; add ifMissing: "
          + "\"recreate\", or remove them"
      ),
      (
        "{ read: 'tmp/a', ifMissing: 'recreate' }",
        "1: the size is missing; add 'size', such as \"10 KB\", or 'contents', a text"
      ),
      ("{}", "1: the step is empty; name what happens, such as { backup: \"after login\" }"),
      (
        "{ save: 'tmp/a', size: 1, exclude: 'tmp/a' }",
        "27: a step does one thing, but 'save' and 'exclude' are both given; make two steps"
      ),
      (
        "'save'",
        "1: expected a step such as { save: \"Documents/a.txt\", size: \"1 KB\" }, found a string"
      ),
      ("{ remove: 'tmp/a', remove: 'tmp/b' }", "20: 'remove' appears twice; keep one"),
    ])
  func `with what was expected`(step: String, mistake: String) {
    #expect(Trial.mistakes(inStep: step) == [mistake])
  }

  @Test func `and an unknown step with the nearest known one`() throws {
    let mistake = try #require(Trial.mistakes(inStep: "{ exlcude: 'tmp/a' }").first)
    #expect(mistake.hasPrefix("3: unknown step 'exlcude'; did you mean 'exclude'? (expected "))
    #expect(StepKind.keywords.allSatisfy { mistake.contains($0) })
  }

  @Test(arguments: [("delete", "remove"), ("Write", "save"), ("mkdir", "createDirectory")])
  func `and another name of a step with the right name`(word: String, step: String) {
    let mistakes = Trial.mistakes(inStep: "{ \(word): 'tmp/a' }")
    #expect(mistakes.first?.contains("unknown step '\(word)'; did you mean '\(step)'?") == true)
  }

  @Test func `and a step that resembles none with all steps, but without a guess`() {
    let mistakes = Trial.mistakes(inStep: "{ size: 5 }")
    #expect(mistakes.first?.contains("unknown step 'size'; expected ") == true)
  }

  @Test func `and a step that has only 'on' with what is missing`() {
    let mistakes = Trial.mistakes(inStep: "{ on: '18' }")
    #expect(
      mistakes == [
        "1: the step has only 'on'; name what happens, such as { backup: \"after login\" }"
      ])
    #expect(
      Trial.mistakes(inStep: "{ on: '18', exlcude: 'tmp/a' }").first?
        .contains("unknown step 'exlcude'; did you mean 'exclude'?") == true)
  }

  @Test func `and the beginning of a word with the whole word`() {
    let mistakes = Trial.mistakes(inStep: "{ save: 'tmp/a', size: 1, how: 'atomic' }")
    #expect(mistakes.first?.contains("did you mean 'atomically'?") == true)
  }

  @Test func `together with the step's other mistakes, in the order of the file`() {
    let step = "{ save: '../a', size: '1 kb', how: 'fast', throw: true }"
    let columns = Trial.mistakes(inStep: step).compactMap { $0.split(separator: ":").first }
    #expect(columns == ["9", "23", "36", "44"])
  }

  @Test func `on one line, whatever the word contains`() {
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
