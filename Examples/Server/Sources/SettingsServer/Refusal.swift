import Hummingbird

/// An error that the client is told in a line of text.
struct Refusal: HTTPResponseError {
  let status: HTTPResponse.Status
  let text: String
  let headers: HTTPFields

  init(_ status: HTTPResponse.Status, _ text: String, headers: HTTPFields = [:]) {
    (self.status, self.text, self.headers) = (status, text, headers)
  }

  func response(from request: Request, context: some RequestContext) -> Response {
    var headers = headers
    headers[.contentType] = "text/plain; charset=utf-8"
    headers[.cacheControl] = "no-store"
    return Response(
      status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text + "\n")))
  }
}
