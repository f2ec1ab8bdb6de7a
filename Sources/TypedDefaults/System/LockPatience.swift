extension Duration {
  /// How long a thread waits for a lock: ten seconds at most. Of two that wait for each other, one gives up
  /// first, and when they try again they do not stay in step.
  static var lockPatience: Duration { .milliseconds(.random(in: 8_000...10_000)) }
}
