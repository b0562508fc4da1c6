extension Markup {
  private static let policy: Markup =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

  /// A page that is whole in itself: its style and its script are in it, and it may ask for
  /// nothing. The script reads its data.
  static func page(
    _ title: String, _ content: Markup, script: (code: Markup, data: Markup)? = nil
  ) -> String {
    let style = Markup(trusted: PackageResources.Page_css)
    let scripts: Markup =
      script.map {
        "<script type=\"application/json\" id=\"data\">\($0.data)</script>\n<script>\n\($0.code)</script>\n"
      } ?? .empty
    let document: Markup = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <title>\(title)</title>
      <style>
      \(style)</style>
      </head>
      <body>
      <main>
      <h1>\(title)</h1>
      \(content)</main>
      \(scripts)</body>
      </html>

      """
    return document.html
  }
}
