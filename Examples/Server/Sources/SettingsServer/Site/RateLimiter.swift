import Synchronization

/// Counts what each client does. A client may save up what it has not used, for one second's worth.
final class RateLimiter: Sendable {
  private struct Bucket {
    var tokens: Double
    var time: ContinuousClock.Instant

    mutating func fill(_ rate: Double, burst: Double, at now: ContinuousClock.Instant) {
      tokens = min(tokens + (now - time) / .seconds(1) * rate, burst)
      time = now
    }
  }

  private static let maximumCount = 10_000
  private let buckets = Mutex<[Client: Bucket]>([:])

  /// Returns whether a client may do one more, and counts it.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - rate: How many it may do in each second, now.
  ///   - burst: How many it may do at once.
  func admits(_ client: Client, perSecond rate: Double, burst: Double) -> Bool {
    let now = ContinuousClock.now
    return buckets.withLock { buckets in
      if buckets.count >= Self.maximumCount, buckets[client] == nil {
        // Who has been quiet for a minute has everything saved up again.
        buckets = buckets.filter { now - $0.value.time < .seconds(60) }
        if buckets.count >= Self.maximumCount { buckets = [:] }
      }
      var bucket = buckets[client] ?? Bucket(tokens: burst, time: now)
      bucket.fill(rate, burst: burst, at: now)
      let admits = bucket.tokens >= 1
      if admits { bucket.tokens -= 1 }
      buckets[client] = bucket
      return admits
    }
  }
}
