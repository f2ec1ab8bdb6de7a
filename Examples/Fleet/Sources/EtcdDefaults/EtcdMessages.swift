internal import Foundation
internal import RemoteDefaults

/// A part of the gateway's JSON. The gateway writes bytes in Base64 and 64-bit numbers as text, and leaves
/// out what is empty or zero.
struct EtcdJSON {
  let value: Any?

  subscript(key: String) -> EtcdJSON { EtcdJSON(value: (value as? [String: Any])?[key]) }

  var text: String { value as? String ?? "" }
  var data: Data { Data(base64Encoded: text) ?? Data() }
  var number: Int64 { Int64(text) ?? value as? Int64 ?? (value as? Int).map(Int64.init) ?? 0 }
  var flag: Bool { value as? Bool ?? false }
  var list: [EtcdJSON] { (value as? [Any] ?? []).map { EtcdJSON(value: $0) } }

  var revision: Int64 { self["header"]["revision"].number }
  var cluster: String { self["header"]["cluster_id"].text }
  var entry: ServerEntry {
    ServerEntry(text: self["value"].data, version: self["mod_revision"].number)
  }

  /// Reads an answer, which may be the report of an error.
  init(_ data: Data, isRight: Bool = true) throws {
    value = try? JSONSerialization.jsonObject(with: data)
    let error = self["error"].value is String ? self : self["error"]
    let code = error["code"].number + error["grpc_code"].number
    guard isRight, error.value == nil, value != nil else {
      throw Self.error(code > 0 ? Int(code) : 14, error["message"].text)
    }
  }

  private init(value: Any?) { self.value = value }

  /// An error with etcd's code, which is gRPC's.
  static func error(_ code: Int, _ message: String) -> ServerError {
    let kind: ServerError.Kind =
      switch code {
      case 9, 16: .denied
      case 3
      where ["name is empty", "store is old", "invalid user"].contains(where: message.contains):
        .denied
      case 3, 7: .refused
      case 8 where message.contains("larger than max"): .refused
      case 11: .compacted
      default: .unavailable
      }
    let advice: KeyValuePairs = [
      "permission denied":
        "Grant the user both ranges of the prefix: etcdctl role grant-permission.",
      "user name is empty": "Give EtcdOptions the credentials of a user.",
      "invalid user ID or password": "Correct the credentials in EtcdOptions.",
      "larg": "Store a smaller value, or raise etcd's --max-request-bytes.",
      "too many operations": "Raise etcd's --max-txn-ops to 128.",
      "database space exceeded": "Compact and defragment etcd, then run etcdctl alarm disarm.",
    ]
    let found = advice.first { message.contains($0.key) }?.value
    return ServerError(kind, message, advice: found ?? EtcdClient.advice)
  }
}
