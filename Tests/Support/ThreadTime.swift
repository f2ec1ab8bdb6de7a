import Foundation

/// Returns the processor time that this thread takes for a body: other load on the machine hardly changes it.
func threadTime(_ body: () throws -> Void) rethrows -> Duration {
  func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
  let start = now()
  try body()
  return now() - start
}
