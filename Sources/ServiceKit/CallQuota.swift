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
