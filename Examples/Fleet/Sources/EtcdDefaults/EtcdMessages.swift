internal import Foundation

/// Reads what the gateway tells.
func decodeAnswer<Answer: Decodable>(_ data: Data) throws -> Answer {
  let decoder = JSONDecoder()
  decoder.keyDecodingStrategy = .convertFromSnakeCase
  return try decoder.decode(Answer.self, from: data)
}

/// A key of etcd with its value, as the gateway tells it: bytes are base64, 64-bit numbers are text.
struct EtcdKeyValue: Decodable {
  let key: Data
  let value: Data
  let revision: Int64

  private enum CodingKeys: String, CodingKey { case key, value, modRevision }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    key = try container.decode(Data.self, forKey: .key)
    // The gateway leaves out what is empty or zero.
    value = try container.decodeIfPresent(Data.self, forKey: .value) ?? Data()
    revision = try container.decodeNumber(forKey: .modRevision)
  }
}

extension KeyedDecodingContainer {
  fileprivate func decodeNumber(forKey key: Key) throws -> Int64 {
    Int64(try decodeIfPresent(String.self, forKey: key) ?? "0") ?? 0
  }
}

struct EtcdHeader: Decodable {
  let revision: Int64

  private enum CodingKeys: String, CodingKey { case revision }

  init(from decoder: any Decoder) throws {
    revision = try decoder.container(keyedBy: CodingKeys.self).decodeNumber(forKey: .revision)
  }
}

struct EtcdRange: Decodable {
  let header: EtcdHeader?
  let kvs: [EtcdKeyValue]?
  /// The number of all keys of the range, also of those beyond a limit.
  let count: String?
}

struct EtcdTransaction: Decodable {
  struct Response: Decodable { let responseRange: EtcdRange? }

  let header: EtcdHeader
  let succeeded: Bool?
  let responses: [Response]?
}

/// A line of a watch.
struct EtcdWatchLine: Decodable {
  struct Event: Decodable {
    let type: String?
    let kv: EtcdKeyValue
  }

  struct Result: Decodable {
    let header: EtcdHeader?
    let canceled: Bool?
    let cancelReason: String?
    let compactRevision: String?
    let events: [Event]?
  }

  let result: Result?
  let error: EtcdFailure?
}

/// What the gateway answers instead.
struct EtcdFailure: Decodable {
  var code: Int?
  var grpcCode: Int?
  var message: String?
  var error: String?
}

// MARK: - Requests

/// Requests, as the gateway reads them.
enum EtcdRequest {
  static func range(prefix: String, limit: Int = 0) -> [String: Any] {
    bounds(of: prefix).merging(["limit": limit]) { $1 }
  }

  static func watch(prefix: String, from revision: Int64) -> [String: Any] {
    watch(bounds(of: prefix), from: revision)
  }

  static func watch(key: String, from revision: Int64) -> [String: Any] {
    watch(["key": encode(key)], from: revision)
  }

  private static func watch(_ keys: [String: Any], from revision: Int64) -> [String: Any] {
    ["create_request": keys.merging(["start_revision": "\(revision)"]) { $1 }]
  }

  /// Puts or deletes keys, if the one key of the condition has not been changed since its revision.
  static func transaction(
    _ values: [String: Data?], condition: (key: String, revision: Int64)?
  ) -> [String: Any] {
    var request: [String: Any] = [
      "success": values.map { key, value in
        if let value {
          ["request_put": ["key": encode(key), "value": value.base64EncodedString()]]
        } else {
          ["request_delete_range": ["key": encode(key)]]
        }
      }
    ]
    if let condition {
      let key = encode(condition.key)
      request["compare"] = [
        [
          "key": key, "target": "MOD", "result": "EQUAL",
          "mod_revision": "\(condition.revision)",
        ]
      ]
      request["failure"] = [["request_range": ["key": key]]]
    }
    return request
  }

  private static func encode(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  /// From the prefix up to the first key that does not begin with it. The prefix ends with a slash.
  private static func bounds(of prefix: String) -> [String: Any] {
    ["key": encode(prefix), "range_end": encode(prefix.dropLast() + "0")]
  }
}
