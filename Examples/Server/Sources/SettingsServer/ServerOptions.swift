import TypedDefaults

/// What the command line says besides overrides of settings, such as `-greeting Hi`.
public struct ServerOptions: Sendable {
  public var host = "127.0.0.1"
  public var port = 8080

  /// Further names under which clients may address the server, such as that of a proxy.
  public var names: [String] = []

  /// Whether a proxy speaks TLS to browsers.
  public var isBehindTLS = false

  public var wantsHelp = false

  public init() {}

  /// A command line that cannot be understood.
  public struct UsageError: Error, CustomStringConvertible {
    public let description: String
  }

  /// Reads the words after the name of the program. `-KEY VALUE` overrides a setting.
  public init(_ arguments: [String], settings: [any DeclaredSetting]) throws {
    let overrides = Set(settings.map { "-" + $0.key })
    var words = arguments[...]
    while let word = words.popFirst() {
      wantsHelp = wantsHelp || ["--help", "-h"].contains(word)
      isBehindTLS = isBehindTLS || word == "--behind-tls"
      if ["--help", "-h", "--behind-tls"].contains(word) { continue }
      guard overrides.contains(word) || ["--host", "--port", "--name"].contains(word) else {
        throw UsageError(description: "unknown argument \"\(word)\"; see --help")
      }
      guard let value = words.popFirst() else {
        throw UsageError(description: "\(word) needs a value")
      }
      switch word {
      case "--host": host = value
      case "--name": names.append(value)
      case "--port":
        guard let number = UInt16(value) else {
          throw UsageError(description: "--port \(value): expected a number from 0 to 65535")
        }
        port = Int(number)
      default: break  // The store reads overrides by itself.
      }
    }
  }

  /// The text of `--help`, which the settings make.
  public static func help(_ settings: [any DeclaredSetting]) -> String {
    let lines = settings.map { setting in
      var line = "  -\(setting.key) VALUE\n      \(setting.help.map { "\($0)\n      " } ?? "")"
      line += setting.expectation
      if let text = setting.defaultText { line += "; \(text) by default" }
      if let variable = setting.environmentVariable { line += "; variable \(variable)" }
      return line
    }
    return """
      usage: server [--port N] [--host ADDRESS] [--name NAME ...] [--behind-tls] [-SETTING VALUE ...]

      --port N        the port, 8080 by default; 0 takes a free one
      --host ADDRESS  the address to listen on, 127.0.0.1 by default
      --name NAME     a further name of the server, such as that of a proxy before it
      --behind-tls    a proxy before the server speaks TLS

      Each setting can be changed at /settings while the server runs. An argument or a
      variable overrides what is stored:

      \(lines.joined(separator: "\n"))
      """
  }
}
