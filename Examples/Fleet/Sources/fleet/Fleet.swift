import EtcdDefaults
import Foundation
import NIOSSL
import RemoteDefaults
import TypedDefaults

@main
enum Fleet {
  private static let usage = """
    usage: fleet --etcd URL,URL --prefix NAME [--user NAME] [--ca FILE] [--cert FILE --key FILE] COMMAND
    The password of the user is the environment variable FLEET_PASSWORD.

    list              every setting, with its value and its default
    set NAME VALUE    changes a setting
    reset NAME        removes what is stored, so that the default shows again
    watch             prints each change as it happens
    export            writes what is stored to standard output
    import FILE       stores what was exported, and resets all other settings
    health            says when etcd was last heard; the exit status is 1 if it does not answer

    Each command prints what etcd has confirmed.
    """

  static func main() async {
    do {
      var words = Array(CommandLine.arguments.dropFirst())
      let options = try options(from: &words)
      let store = try await EtcdDefaults.open(options, within: .seconds(3))
      let settings = FleetSettings(in: store)
      switch (words.first, words.count) {
      case ("list", 1): list(settings)
      case ("set", 3):
        let setting = try setting(words[1], of: settings)
        try setting.set(text: words[2])
        try await store.flush()
        show(setting)
      case ("reset", 2):
        let setting = try setting(words[1], of: settings)
        setting.reset()
        try await store.flush()
        show(setting)
      case ("watch", 1): await watch(settings)
      case ("export", 1):
        try FileHandle.standardOutput.write(contentsOf: settings.exportData())
      case ("import", 2):
        try settings.importData(try Data(contentsOf: URL(filePath: words[1])))
        try await store.flush()
        list(settings)
      case ("health", 1): print("heard \(store.sinceHeard.map { "\($0) ago" } ?? "never")")
      default: throw Failure(description: usage)
      }
    } catch {
      try? FileHandle.standardError.write(contentsOf: Data("fleet: \(error)\n".utf8))
      exit(1)
    }
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  // MARK: Commands

  private static func setting(_ name: String, of settings: FleetSettings) throws
    -> any DeclaredSetting
  {
    if let setting = settings.settings.first(where: { $0.key == name }) { return setting }
    let names = settings.settings.map(\.key).joined(separator: ", ")
    throw Failure(description: "There is no \"\(name)\", only \(names).")
  }

  private static func show(_ setting: any DeclaredSetting) {
    print("\(setting.key) = \(setting.text ?? "(none)")")
    fflush(nil)  // Otherwise output into a pipe or a file would wait.
  }

  private static func list(_ settings: FleetSettings) {
    var rows = [[" ", "KEY", "VALUE", "DEFAULT"]]
    for setting in settings.settings {
      rows.append([
        setting.isStored ? "*" : " ", setting.key, setting.text ?? "(none)",
        setting.defaultText ?? "(none)",
      ])
    }
    let widths = (0..<3).map { column in rows.map(\.[column].count).max()! }
    for row in rows {
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      print(cells.joined(separator: "  ") + "  " + row[3])
    }
  }

  private static func watch(_ settings: FleetSettings) async {
    @Sendable func watch(_ setting: some DeclaredSetting) async {
      for await _ in setting.updates { show(setting) }
    }
    await withTaskGroup(of: Void.self) { group in
      for setting in settings.settings {
        group.addTask { await watch(setting) }
      }
    }
  }

  // MARK: Options

  /// Removes the options from the words.
  private static func options(from words: inout [String]) throws -> EtcdOptions {
    func value(of name: String) throws -> String? {
      guard let index = words.firstIndex(of: name) else { return nil }
      guard index + 1 < words.count else {
        throw Failure(description: "\(name) needs a value.\n\(usage)")
      }
      defer { words.removeSubrange(index...index + 1) }
      return words[index + 1]
    }
    guard let addresses = try value(of: "--etcd"), let prefix = try value(of: "--prefix") else {
      throw Failure(description: usage)
    }
    let endpoints = try addresses.split(separator: ",").map { address in
      guard let url = URL(string: String(address)), url.host() != nil else {
        throw Failure(description: "\"\(address)\" is not an address such as http://10.0.0.1:2379.")
      }
      return url
    }
    var options = EtcdOptions(endpoints: endpoints, prefix: prefix)
    if let user = try value(of: "--user") {
      options.credentials = (user, ProcessInfo.processInfo.environment["FLEET_PASSWORD"] ?? "")
    }
    var tls = TLSConfiguration.makeClientConfiguration()
    if let authority = try value(of: "--ca") { tls.trustRoots = .file(authority) }
    if let certificate = try value(of: "--cert") {
      tls.certificateChain = try NIOSSLCertificate.fromPEMFile(certificate).map {
        .certificate($0)
      }
    }
    if let key = try value(of: "--key") {
      tls.privateKey = .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
    }
    options.tls = tls
    return options
  }
}
