internal import Foundation

/// The first fault of a text or a file: where it is, and what is wrong there.
struct Unreadable: Error, CustomStringConvertible {
  let description: String
}

extension Unreadable {
  /// The fault in the words of Foundation's parser.
  init(of error: any Error) {
    description = "\((error as NSError).userInfo[NSDebugDescriptionErrorKey] ?? error)"
  }
}
