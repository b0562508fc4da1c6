import BackupDiagnostics
import BackupVerdicts
import Foundation
import TestSupport
import Testing

@testable import BackupReports

/// HTML is written as string literals, which escape the strings in them.
@Suite struct MarkupTests {
  @Test func `a string in markup is escaped`() {
    let name = "<script>\"'&\n\u{202E}"
    let markup: Markup = "<b title=\"\(name)\">\(name)</b>\(7)"
    let text = "&lt;script&gt;&quot;&#39;&amp;\\n\\u{202E}"
    #expect(markup.html == "<b title=\"\(text)\">\(text)</b>7")
  }

  @Test func `markup in markup stays markup`() {
    let inner: Markup = "<i>\("a<b")</i>"
    let outer: Markup = "<p>\(inner)\(Markup.when(false, "no"))\(Markup.joined([inner, inner]))</p>"
    #expect(outer.html == "<p><i>a&lt;b</i><i>a&lt;b</i><i>a&lt;b</i></p>")
  }

  @Test func `text may break after a slash, and leaves out the working directory`() {
    let folder = FileManager.default.currentDirectoryPath
    #expect(Markup.prose("<a>/b: \(folder)/c").html == "&lt;a&gt;/<wbr>b: c")
    #expect(Markup.code("A.b(_:c:)").html == "<code>A.<wbr>b(<wbr>_:<wbr>c:<wbr>)</code>")
  }

  @Test func `a string in JSON cannot end the script`() {
    #expect(Markup(json: "\"</script>\"".utf8).html == "\"\\u003c/script>\"")
  }

  @Test(
    arguments: [
      (0, "0 bytes", "0"), (1, "1 byte", "1"), (999, "999 bytes", "999"),
      (1000, "1.0 KB", "1,000"), (999_949, "999.9 KB", "999,949"), (999_950, "1.0 MB", "999,950"),
      (710_000_000, "710.0 MB", "710,000,000"),
      (Int64.max, "9223372.0 TB", "9,223,372,036,854,775,807"),
    ] as [(Int64, String, String)])
  func `bytes have a unit, and digits are grouped`(bytes: Int64, words: String, digits: String) {
    #expect(bytes.formattedSize == words)
    #expect(bytes.withCommas == digits)
  }
}
