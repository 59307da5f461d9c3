internal import CSodium

/// Starts libsodium once per process; every use of it begins by touching `isReady`.
enum Sodium {
    /// `sodium_init()`: 0 the first time, 1 afterwards, -1 on failure.
    static let isReady: Bool = sodium_init() >= 0
}
