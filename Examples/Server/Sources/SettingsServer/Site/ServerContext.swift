import Hummingbird
import NIOCore
import NIOHTTPTypes

/// The context of a request, with the address of the client.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let client: Client
  private let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    client = Client(source.channel.remoteAddress)
    channel = source.channel
  }

  /// Waits until the socket has taken all that was written.
  ///
  /// When the server stops, a connection is closed right after its answer, and what the socket has
  /// not taken by then would be lost.
  func flush() async throws {
    try await channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer())).get()
  }
}

/// A client as limits count it: an IPv4 address, or a network of IPv6 addresses.
struct Client: Hashable {
  private let bytes: [UInt8]
  let isLoopback: Bool

  init(_ address: SocketAddress?) {
    switch address {
    case .v4(let address):
      bytes = withUnsafeBytes(of: address.address.sin_addr, Array.init)
      isLoopback = bytes.first == 127
    case .v6(let address):
      let all = withUnsafeBytes(of: address.address.sin6_addr, Array.init)
      if all.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) {
        bytes = Array(all.suffix(4))
        isLoopback = bytes.first == 127
      } else {
        bytes = Array(all.prefix(8))
        isLoopback = all == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
      }
    default:
      (bytes, isLoopback) = ([], false)
    }
  }
}
