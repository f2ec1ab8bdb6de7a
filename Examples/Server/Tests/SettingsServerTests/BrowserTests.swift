import Foundation
import SettingsServer
import TypedDefaults
import XCTest

/// The page in a browser.
final class BrowserTests: XCTestCase {
  /// Opens the page, whose token is in no address after it.
  private static func open(_ server: ServerProcess, in browser: Browser) async throws {
    try await browser.open(server.address)
    try await browser.wait(for: "location.search == ''")
    try await browser.wait(for: "document.getElementById('state').textContent == 'Live'")
  }

  private static func said(_ key: String, _ text: String) -> String {
    "document.getElementById('row-\(key)-said').textContent.startsWith('\(text)')"
  }

  func testAChangeIsSavedAndUndoneAndAMistakeIsKept() async throws {
    let folder = try Folder()
    let server = try ServerProcess(["-greeting", "Welcome"], in: folder)
    try await Browser.run { browser in
      try await Self.open(server, in: browser)
      let rows = try await browser.value("document.querySelectorAll('.row').length")
      XCTAssertEqual(rows, "5")
      let trouble = try await browser.value("document.getElementById('trouble').hidden")
      XCTAssertEqual(trouble, "true")
      let greeting = try await browser.value(
        "document.getElementById('row-greeting-value').readOnly")
      XCTAssertEqual(greeting, "true")

      // A box; what it does is on the disk when it says so.
      try await browser.click("#row-maintenance-value")
      try await browser.wait(for: Self.said("maintenance", "Saved."))
      let heard = try await browser.value("document.getElementById('live').textContent")
      XCTAssertEqual(heard, "Maintenance: Saved.")
      let file = try String(contentsOf: ServerProcess.file(in: folder), encoding: .utf8)
      XCTAssertTrue(file.contains("<key>maintenance</key>"), file)
      let focus = try await browser.value("document.activeElement.id")
      XCTAssertEqual(focus, "row-maintenance-value")
      try await browser.click("#row-maintenance-said button")
      try await browser.wait(for: Self.said("maintenance", "Undone."))
      try await browser.wait(for: "!document.getElementById('row-maintenance-value').checked")

      // A number that is out of range, and one that is not.
      try await browser.type("86401\(Browser.enter)", into: "#row-cacheSeconds-value")
      try await browser.wait(for: Self.said("cacheSeconds", "expected an integer from 0 to 86400"))
      let typed = try await browser.value("document.getElementById('row-cacheSeconds-value').value")
      XCTAssertEqual(typed, "86401")
      try await browser.keepPicture("invalid")
      try await browser.type("120\(Browser.enter)", into: "#row-cacheSeconds-value")
      try await browser.wait(for: Self.said("cacheSeconds", "Saved."))
      let number = try await browser.value("document.activeElement.id")
      XCTAssertEqual(number, "row-cacheSeconds-value")

      // A menu saves when it is left, not at each key.
      _ = try await browser.value("document.getElementById('row-theme-value').focus()")
      try await browser.press(Browser.down)
      let theme = try await browser.value("document.documentElement.dataset.theme")
      XCTAssertEqual(theme, "system")
      try await browser.press(Browser.down)
      try await browser.press(Browser.tabulator)
      try await browser.wait(for: "document.documentElement.dataset.theme == 'dark'")
      try await browser.keepPicture("dark")

      // A reset, and one of all.
      try await browser.click("#row-cacheSeconds-reset")
      try await browser.wait(for: "document.getElementById('row-cacheSeconds-value').value == '60'")
      try await browser.click(".moves summary")
      try await browser.click(".danger")
      try await browser.wait(for: "document.documentElement.dataset.theme == 'system'")
      try await browser.wait(for: "document.querySelectorAll('.reset').length == 0")
      try await browser.keepPicture("light")
      try await browser.resize(width: 420, height: 2_200)
      let overflow = try await browser.value(
        "document.documentElement.scrollWidth > document.documentElement.clientWidth")
      XCTAssertEqual(overflow, "false")
      try await browser.keepPicture("narrow")
      try await browser.forceColors()
      try await browser.keepPicture("forced-colors")
      let border = try await browser.value(
        "getComputedStyle(document.querySelector('.badge')).borderTopWidth")
      XCTAssertEqual(border, "1px")
    }
    XCTAssertEqual(server.stop(), 0)
  }

  func testWhatIsTypedSurvivesChangesByOthersAndTheirConflict() async throws {
    let folder = try Folder()
    let server = try ServerProcess(in: folder)
    try await Browser.run { browser in
      try await Self.open(server, in: browser)
      try await browser.type("half typ", into: "#row-greeting-value")
      try await Visitor.visit(port: server.port, token: server.token) { visitor in
        _ = try await visitor.put("greeting", "of another editor")
        _ = try await visitor.put("cacheSeconds", "4321")
      }
      let time = try await browser.wait(
        for: "document.getElementById('row-cacheSeconds-value').value == '4321'")
      XCTAssertLessThan(time, .seconds(1))
      let half = try await browser.value("document.getElementById('row-greeting-value').value")
      XCTAssertEqual(half, "half typ")
      try await browser.click("#row-greeting .save")
      try await browser.wait(for: Self.said("greeting", "Somebody else has changed this setting."))
      let said = try await browser.value(
        "document.getElementById('row-greeting-said').textContent.includes('of another editor')")
      XCTAssertEqual(said, "true")
      try await browser.keepPicture("conflict")
      try await browser.click("#row-greeting-said button")
      try await browser.wait(for: Self.said("greeting", "Saved."))
      try await Visitor.visit(port: server.port) { visitor in
        let answer = try await visitor.get("/")
        XCTAssertEqual(answer.text, "half typ\n")
      }
      // Escape restores the value.
      try await browser.type("other\(Browser.escape)", into: "#row-greeting-value")
      try await browser.wait(
        for: "document.getElementById('row-greeting-value').value == 'half typ'")

      // The server is gone: nothing says "saved", and nothing typed is lost.
      try await browser.type("too late", into: "#row-greeting-value")
      XCTAssertEqual(server.stop(), 0)
      try await browser.wait(for: "document.getElementById('state').textContent == 'Offline'")
      try await browser.click("#row-greeting .save")
      try await browser.wait(for: Self.said("greeting", "Not saved: the server does not answer."))
      let late = try await browser.value("document.getElementById('row-greeting-value').value")
      XCTAssertEqual(late, "too late")
      _ = try await browser.value("document.querySelector('.dirty').classList.remove('dirty')")
    }
  }

  func testAFullDiskIsToldUntilTheChangeIsSaved() async throws {
    let folder = try Folder()
    let disk = folder.url.appending(path: "config")
    try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: false)
    func run(_ program: String, _ arguments: String...) throws -> Int32 {
      let process = try Process.run(URL(filePath: program), arguments: arguments)
      process.waitUntilExit()
      return process.terminationStatus
    }
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/mount"), getuid() == 0,
      try run("/usr/bin/mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk.path) == 0
    else { throw XCTSkip("a disk of 64 KB needs root") }
    defer { _ = try? run("/usr/bin/umount", "-l", disk.path) }
    let server = try ServerProcess(in: folder)
    try await Browser.run { browser in
      try await Self.open(server, in: browser)
      let filler = disk.appending(path: "filler")
      _ = FileManager.default.createFile(atPath: filler.path, contents: nil)
      let handle = try FileHandle(forWritingTo: filler)
      while (try? handle.write(contentsOf: Data(count: 1_024))) != nil {}
      try handle.close()
      try await browser.type("no space\(Browser.enter)", into: "#row-greeting-value")
      try await browser.wait(for: Self.said("greeting", "The change is not saved."))
      try await browser.wait(for: "!document.getElementById('trouble').hidden")
      let typed = try await browser.value("document.getElementById('row-greeting-value').value")
      XCTAssertEqual(typed, "no space")
      try await browser.keepPicture("full-disk")
      try FileManager.default.removeItem(at: filler)
      try await browser.wait(for: "document.getElementById('trouble').hidden")
      let file = try String(contentsOf: ServerProcess.file(in: folder), encoding: .utf8)
      XCTAssertTrue(file.contains("no space"), file)
    }
    XCTAssertEqual(server.stop(), 0)
  }

  func testManyTabsShareOneStreamAndEachSaves() async throws {
    let folder = try Folder()
    let server = try ServerProcess(in: folder)
    try await Browser.run { browser in
      try await Self.open(server, in: browser)
      var tabs = [try await browser.tab]
      for _ in 0..<7 {
        tabs.append(try await browser.openTab("http://127.0.0.1:\(server.port)/settings"))
        try await browser.wait(for: "document.getElementById('state').textContent == 'Live'")
      }
      for (number, tab) in tabs.enumerated() {
        try await browser.choose(tab: tab)
        try await browser.type("\(number)\(Browser.enter)", into: "#row-cacheSeconds-value")
        try await browser.wait(for: Self.said("cacheSeconds", "Saved."))
      }
      try await browser.click("#row-maintenance-value")
      for tab in tabs {
        try await browser.choose(tab: tab)
        try await browser.wait(for: "document.getElementById('row-maintenance-value').checked")
      }
    }
    XCTAssertEqual(server.stop(), 0)
  }

  func testAPageForWhichThereIsNoStreamStaysAndSaves() async throws {
    let folder = try Folder()
    let server = try ServerProcess(in: folder)
    try await Browser.run { browser in
      var readers: [EventReader] = []
      for _ in 0..<100 {
        readers.append(try await EventReader(port: server.port, token: server.token))
        _ = try await readers.last?.read(until: "event: page")
      }
      try await browser.open(server.address)
      try await browser.wait(for: "document.getElementById('state').textContent == 'Offline'")
      try await browser.type("half typ", into: "#row-greeting-value")
      try await browser.click("#row-maintenance-value")
      try await browser.wait(for: Self.said("maintenance", "Saved."))
      readers = []
      try await browser.wait(for: "document.getElementById('state').textContent == 'Live'")
      let half = try await browser.value("document.getElementById('row-greeting-value').value")
      XCTAssertEqual(half, "half typ")
      _ = try await browser.value("document.querySelector('.dirty').classList.remove('dirty')")
    }
    XCTAssertEqual(server.stop(), 0)
  }

  func testWithoutTLSFromElsewhereAPageHasAStreamWhileItIsSeen() async throws {
    let folder = try Folder()
    let server = try ServerProcess(["--host", "0.0.0.0"], in: folder)
    try await Browser.run { browser in
      try await Self.open(server, in: browser)
      // Such an address has no locks, by which tabs share a stream.
      let locks = try await browser.value("navigator.locks")
      XCTAssertEqual(locks, "undefined")
      try await browser.click("#row-maintenance-value")
      try await browser.wait(for: Self.said("maintenance", "Saved."))
      let streams = try await browser.value("source.readyState")
      XCTAssertEqual(streams, "1")
      _ = try await browser.value(
        """
        (Object.defineProperty(document, 'hidden', { value: true }),
        document.dispatchEvent(new Event('visibilitychange')))
        """)
      let hidden = try await browser.value("source")
      XCTAssertEqual(hidden, "null")
    }
    XCTAssertEqual(server.stop(), 0)
  }

  func testWithoutScriptsTheFormsWork() async throws {
    let folder = try Folder()
    let server = try ServerProcess(in: folder)
    try await Browser.run { browser in
      try await browser.open(server.address)
      try await browser.turnScriptsOff()
      try await browser.open("http://127.0.0.1:\(server.port)/settings")
      let state = try await browser.value("document.getElementById('state').hidden")
      XCTAssertEqual(state, "true")
      try await browser.click("#row-maintenance-value")
      try await browser.click("#row-maintenance .save")
      try await browser.wait(
        for: "document.querySelector('#row-maintenance .badge').textContent == 'stored'")
      try await browser.type("soon", into: "#row-folder-value")
      try await browser.click("#row-folder .save")
      try await browser.wait(for: Self.said("folder", "expected "))
      let typed = try await browser.value("document.getElementById('row-folder-value').value")
      XCTAssertEqual(typed, "soon")
      try await browser.keepPicture("without-scripts")
      try await browser.click("#row-maintenance-reset")
      try await browser.wait(
        for: "document.querySelector('#row-maintenance .badge').textContent == 'default'")
    }
    XCTAssertEqual(server.stop(), 0)
  }

  func testAStrangerTypesTheTokenAndAPageOfTheFolderHasAnOriginOfItsOwn() async throws {
    let folder = try Folder()
    try folder.write("<title>x</title><script>document.title = 'ran'</script>", to: "public/a.html")
    let server = try ServerProcess(
      ["-folder", folder.url.appending(path: "public").path], in: folder)
    try await Browser.run { browser in
      let base = "http://127.0.0.1:\(server.port)"
      try await browser.open("\(base)/settings")
      try await browser.type("wrong\(Browser.enter)", into: "#token")
      try await browser.wait(for: "document.getElementById('token')?.value == ''")
      try await browser.type("\(server.token)\(Browser.enter)", into: "#token")
      try await browser.wait(for: "document.getElementById('row-greeting') != null")
      let address = try await browser.value("location.href")
      XCTAssertEqual(address, "\(base)/settings")
      // A page of the folder may run its scripts, but they reach nothing of the settings page.
      try await browser.open("\(base)/a.html")
      try await browser.wait(for: "document.title == 'ran'")
      let origin = try await browser.value("self.origin")
      XCTAssertEqual(origin, "null")
    }
    XCTAssertEqual(server.stop(), 0)
  }
}
