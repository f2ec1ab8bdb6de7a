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

  static func refused(_ keys: [String], under prefix: String, _ cause: String) -> Self {
    let names = keys.map { "\"\(prefix)\($0)\"" }.joined(separator: ", ")
    return Self(
      kind: .saveFailed, key: keys.count == 1 ? keys[0] : nil,
      message:
        "etcd refused the change of \(names): \(cause). The change is undone. \(advice(cause))")
  }

  static func unanswered(_ addresses: String, _ cause: String) -> Self {
    Self(
      kind: .saveFailed, key: nil,
      message: """
        etcd does not answer at \(addresses): \(cause). Settings are read and changed in memory until etcd \
        answers. \(advice(cause))
        """)
  }

  static func notOpened(_ prefix: String, at addresses: String, _ cause: String) -> Self {
    Self(
      kind: .saveFailed, key: nil,
      message:
        "The settings under \(prefix) of etcd at \(addresses) cannot be read: \(cause). \(advice(cause))"
    )
  }

  /// Returns what a person can do, found by etcd's own words.
  private static func advice(_ cause: String) -> String {
    let advice: KeyValuePairs = [
      "permission denied": "Grant the user the keys of the prefix: etcdctl role grant-permission.",
      "user name is empty": "Give EtcdOptions the credentials of a user.",
      "invalid user ID or password": "Correct the credentials in EtcdOptions.",
      "too large": "Store a smaller value, or raise etcd's --max-request-bytes.",
      "larger than max": "Store a smaller value, or raise etcd's --max-request-bytes.",
      "database space exceeded": "Compact and defragment etcd, then run etcdctl alarm disarm.",
      "TLS failed": "Check the certificates in EtcdOptions.",
    ]
    return advice.first { cause.contains($0.key) }?.value
      ?? "Check the members: etcdctl endpoint health."
  }
}
