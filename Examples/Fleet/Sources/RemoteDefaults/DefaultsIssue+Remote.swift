internal import TypedDefaults

/// The text of each issue: what happened, why, and what to do about it.
extension DefaultsIssue {
  static func unstorable(_ type: Any.Type, key: String) -> Self {
    Self(
      kind: .unencodableValue, key: key,
      message: """
        A value of type \(type) cannot be stored for "\(key)": it is not a property list. The old value is \
        kept. Assign a value that a property list can hold.
        """)
  }

  static func tooMuch(
    _ keys: [String], reads: Int, _ bytes: Int, _ limits: (operations: Int, bytes: Int),
    _ server: String
  ) -> Self {
    let what =
      keys.count == 1 && bytes > limits.bytes
      ? "The change of \"\(keys[0])\" has \(bytes) bytes"
      : "A transaction changes \(keys.count) keys with \(bytes) bytes\(reads > 0 ? ", and uses \(reads)" : "")"
    return Self(
      kind: .saveFailed, key: keys.count == 1 ? keys[0] : nil,
      message: """
        \(what). One commit of \(server) holds at most \(limits.operations) keys and \(limits.bytes) bytes. \
        Nothing is changed. Make several smaller changes.
        """)
  }

  static func refused(_ keys: [String], _ server: String, _ error: ServerError) -> Self {
    Self(
      kind: .saveFailed, key: keys.count == 1 ? keys[0] : nil,
      message:
        "The change of \(quoted(keys)) is undone: \(server) refuses it: \(error). \(error.advice)")
  }

  static func notSent(_ server: String, _ error: ServerError) -> Self {
    Self(
      kind: .saveFailed, key: nil,
      message: """
        Changes cannot be sent to \(server): \(error). They are kept in memory, and sent as soon as that is \
        possible. \(error.advice)
        """)
  }

  static func notHeard(_ server: String, _ error: ServerError) -> Self {
    Self(
      kind: .saveFailed, key: nil,
      message: """
        Changes of other programs are not heard from \(server): \(error). Settings are read from memory, and \
        may be old. \(error.advice)
        """)
  }

  static func answersAgain(_ server: String) -> Self {
    Self(
      kind: .savedAgain, key: nil,
      message: "The outage is over: changes are sent to \(server) and heard again.")
  }

  static func notOpened(_ server: String, _ error: ServerError) -> Self {
    Self(
      kind: .saveFailed, key: nil,
      message: "The settings of \(server) cannot be read: \(error). \(error.advice)")
  }

  static func restored(_ server: String) -> Self {
    Self(
      kind: .saveFailed, key: nil,
      message: """
        The settings of \(server) are those of another history: a snapshot was restored, probably. All are \
        loaded again. Changes since the snapshot are lost: make them again.
        """)
  }

  static func overwritten(_ keys: [String], _ server: String) -> Self {
    Self(
      kind: .saveFailed, key: keys.count == 1 ? keys[0] : nil,
      message: """
        A newer change of \(quoted(keys)) by another program is overwritten: an older one of this program was \
        waiting to be sent to \(server). Look at the value, and set it again if it is wrong.
        """)
  }

  /// - Parameter isSent: Whether the change may have reached the server.
  static func notConfirmed(_ keys: [String], isSent: Bool, _ issue: Self) -> Self {
    let what =
      isSent
      ? "is not confirmed: it is made if it had already reached the server, and else never will be"
      : "is not made"
    return Self(
      kind: .saveFailed, key: keys.count == 1 ? keys[0] : nil,
      message: "The change of \(quoted(keys)) under a condition \(what). \(issue)")
  }

  static func lost(_ keys: [String], _ server: String, _ error: ServerError?) -> Self {
    Self(
      kind: .saveFailed, key: keys.count == 1 ? keys[0] : nil,
      message: """
        The last changes of \(quoted(keys)) are lost: they could not be sent to \(server) before the end\
        \(error.map { ": \($0)" } ?? ""). Call flush() before the end, and see what it throws.
        """)
  }

  static let closed = Self(
    kind: .saveFailed, key: nil, message: "The store is closed. Open another one.")

  static let ownThread = Self(
    kind: .saveFailed, key: nil,
    message: "The store's own thread cannot wait for it. Call this function on another thread.")

  static let insideTransaction = Self(
    kind: .saveFailed, key: nil,
    message: """
      exclusively(_:) cannot commit inside a transaction of the same store. Nothing is changed. Call it \
      around the transaction.
      """)

  private static func quoted(_ keys: [String]) -> String {
    let names = keys.prefix(10).map { "\"\($0)\"" }.joined(separator: ", ")
    return keys.count > 10 ? "\(names) and \(keys.count - 10) more keys" : names
  }
}
