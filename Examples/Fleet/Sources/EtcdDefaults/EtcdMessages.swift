internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import RemoteDefaults

func decode<Answer: Decodable>(_ data: Data) throws -> Answer {
  let decoder = JSONDecoder()
  decoder.keyDecodingStrategy = .convertFromSnakeCase
  return try decoder.decode(Answer.self, from: data)
}

/// The gateway writes bytes in Base64, and 64-bit numbers as text. It leaves out what is empty or zero.
struct EtcdKeyValue: Decodable {
  let key: Data
  private let text: Data?
  private let modRevision: String?

  var value: Data { text ?? Data() }
  var revision: Int64 { modRevision.flatMap(Int64.init) ?? 0 }

  private enum CodingKeys: String, CodingKey {
    case key
    case text = "value"
    case modRevision
  }
}

struct EtcdHeader: Decodable {
  private let clusterId: String?
  private let number: String?

  var cluster: String { clusterId ?? "" }
  var revision: Int64 { number.flatMap(Int64.init) ?? 0 }

  private enum CodingKeys: String, CodingKey {
    case clusterId
    case number = "revision"
  }
}

struct EtcdRange: Decodable {
  let header: EtcdHeader
  let kvs: [EtcdKeyValue]?
  let more: Bool?
}

struct EtcdTransaction: Decodable {
  struct Items: Decodable { let kvs: [EtcdKeyValue]? }
  struct Response: Decodable { let responseRange: Items? }

  let header: EtcdHeader
  let succeeded: Bool?
  let responses: [Response]?
}

/// The gateway's answer to a request that fails.
struct EtcdFailure: Decodable {
  let code: Int?
  let grpcCode: Int?
  let message: String?
  let error: String?

  var reason: ServerError {
    EtcdClient.error(code ?? grpcCode ?? 14, message ?? error ?? "unknown error")
  }
}

/// A line of a watch.
struct EtcdLine: Decodable {
  struct Event: Decodable {
    let type: String?
    let kv: EtcdKeyValue
  }

  struct Result: Decodable {
    let header: EtcdHeader
    let created: Bool?
    let canceled: Bool?
    let cancelReason: String?
    let compactRevision: String?
    let events: [Event]?
  }

  let result: Result?
  let error: EtcdFailure?

  static func result(of line: Data) throws -> Result {
    let line: EtcdLine = try decode(line)
    guard let result = line.result, !(result.canceled ?? false) else {
      let reason = line.result?.cancelReason ?? ""
      if line.result?.compactRevision ?? "0" != "0" { throw EtcdClient.error(11, reason) }
      let isDenied = reason.contains("permission denied")
      throw line.error?.reason ?? EtcdClient.error(isDenied ? 16 : 14, reason)
    }
    return result
  }
}
