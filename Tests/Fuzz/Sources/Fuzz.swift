import Foundation
import TypedDefaults

/// Gives the library an input that the fuzzer has made. The fuzzer keeps each input that reaches new
/// code, and changes it further.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Data(UnsafeBufferPointer(start: bytes, count: count))
  let start = processorTime()
  subject.test(input)
  // A megabyte in a second. What counts coverage makes the code slower. For a file of 500 levels, Foundation's
  // writer takes up to a second.
  let limit = (subject is FileSubject ? 2 : 0.2) + Double(count) * 4e-6
  let time = processorTime() - start
  if time > limit { fail("\(count) bytes took \(time) s; expected at most \(limit) s") }
  return 0
}

/// What the fuzzer gives its input to.
protocol Subject: Sendable {
  func test(_ input: Data)
}

private let subject: any Subject = {
  // An issue is an answer, and not a failure.
  DefaultsIssue.setHandler { _ in }
  return switch ProcessInfo.processInfo.environment["FUZZ_SUBJECT"] {
  case "file": FileSubject()
  case "text": TextSubject()
  case "import": ImportSubject()
  default: fail("set FUZZ_SUBJECT to file, text or import")
  }
}()

/// The time of this thread, which does not depend on what else the machine does.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// Ends the process, so that the fuzzer keeps the input.
func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("Fuzz: \(message)\n".utf8))
  abort()
}

func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fail(message()) }
}
