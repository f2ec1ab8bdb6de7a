/// The turn of one thread after the other.
enum Turn {
  /// How long a thread waits for its turn: ten seconds at most. Of two that wait for each other, one gives
  /// up first, and when they try again they do not stay in step.
  static var patience: Duration { .milliseconds(.random(in: 8_000...10_000)) }

  /// Another thread of this process has kept the turn for all of that time.
  struct Kept: Error {}
}
