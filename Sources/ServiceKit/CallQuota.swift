internal import MessageBus

/// Limits what unanswered calls hold together, in memory and of descriptors; used by one thread.
final class CallQuota {
    /// Bytes in a call: nothing that is served comes near.
    static let longest = 8 << 20
    /// Bytes of all calls that are not answered.
    private static let maximum = 64 << 20
    /// Descriptors that may be open before a call is taken on: half of what `Hardening` provides.
    ///
    /// A call of any kind may bring 253, which stay open as long as it is kept, and libsystemd does not say how many there
    /// are. Without a free one for the next call the connection to the bus would end.
    private static let descriptors: Int32 = 2_048

    private let bus: Bus
    private var bytes = 0

    init(_ bus: Bus) { self.bus = bus }

    /// What a call weighs, as long as anybody keeps it.
    private final class Weight {
        let quota: CallQuota
        let bytes: Int

        init(_ bytes: Int, on quota: CallQuota) {
            (self.bytes, self.quota) = (bytes, quota)
            quota.bytes += bytes
        }

        deinit { quota.bytes -= bytes }
    }

    /// Takes a call on; false for one that is too long, and where those that are held leave no room for it.
    ///
    /// libsystemd has the message in memory already: it takes up to 128 MiB. What is refused is released at once.
    func takes(_ call: BusMessage) -> Bool {
        guard let size = call.size(limit: Self.longest), bytes + size <= Self.maximum,
            let next = bus.nextDescriptor, next < Self.descriptors
        else { return false }
        call.weight = Weight(size, on: self)
        return true
    }
}

/// What is done when a time has come, unless it is called off; used by one thread.
struct Deadlines {
    private var acts: [(end: ContinuousClock.Instant, key: String, act: () -> Void)] = []

    /// Has something done after some seconds.
    mutating func add(_ key: String, seconds: Int, _ act: @escaping () -> Void) {
        acts.append((.now + .seconds(seconds), key, act))
    }

    /// Calls it off.
    mutating func remove(_ key: String) { acts.removeAll { $0.key == key } }

    /// Milliseconds until the next one, for poll(2); -1 for none.
    var milliseconds: Int32 {
        guard let first = acts.map(\.end).min() else { return -1 }
        let rest = first - .now
        return rest <= .zero ? 0 : Int32(clamping: rest.components.seconds * 1_000 + 999)
    }

    /// Takes those whose time has come.
    mutating func takeDue() -> [() -> Void] {
        let now = ContinuousClock.now
        let due = acts.filter { $0.end <= now }
        acts.removeAll { $0.end <= now }
        return due.map(\.act)
    }
}
