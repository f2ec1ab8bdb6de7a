import HTTPTypes

/// The name and the port under which a client addresses the server.
struct Authority {
  let text: String
  let name: String
  let port: UInt16?

  /// Returns `nil` if the request has none, or one that is longer than names are.
  init?(_ head: HTTPRequest) {
    guard let text = head.authority, text.utf8.count <= 262 else { return nil }
    self.text = text
    // Only an IPv6 address has brackets, and a colon inside them.
    let isBracketed = text.hasPrefix("[")
    let end = isBracketed ? text.firstIndex(of: "]") : text.firstIndex(of: ":")
    guard let end else {
      guard !isBracketed else { return nil }
      (name, port) = (text.lowercased(), nil)
      return
    }
    let rest = isBracketed ? text[end...].dropFirst() : text[end...]
    name = (isBracketed ? text[...end] : text[..<end]).lowercased()
    port = UInt16(rest.dropFirst())
    guard rest.isEmpty || port != nil && rest.first == ":" else { return nil }
  }

  /// Whether it is an address in digits, to which no name of an attacker can lead.
  private var isNumeric: Bool {
    if name.hasPrefix("[") { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Throws if a request was meant for another server, or if another server's page has made it.
  static func check(
    _ head: HTTPRequest, names: Set<String>, isBehindTLS: Bool, isChange: Bool
  ) throws {
    // A name of an attacker can be made to lead here (DNS rebinding).
    guard let authority = Authority(head),
      authority.isNumeric || authority.name == "localhost" || names.contains(authority.name)
    else {
      throw Refusal(.misdirectedRequest, "The settings page has no such name.")
    }
    // No page of another site can send this field.
    if PageAuthorization.bearer(head) != nil { return }
    let schemes = isBehindTLS ? ["https://"] : ["http://", "https://"]
    guard let origin = head.headerFields[.origin] else {
      guard !isChange else { throw Refusal(.forbidden, "A change needs the field Origin.") }
      return
    }
    guard schemes.contains(where: { origin == $0 + authority.text }) else {
      throw Refusal(.forbidden, "This request comes from a page of another server.")
    }
  }
}
