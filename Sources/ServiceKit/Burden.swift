internal import MessageBus

/// How much the calls that are not answered hold in memory together; used by one thread.
final class Burden {
    /// Bytes in a call: nothing that is served comes near.
    static let longest = 8 << 20
    /// Bytes of all calls that are not answered.
    private static let maximum = 64 << 20

    private var bytes = 0

    /// What a call weighs, as long as anybody keeps it.
    private final class Weight {
        let burden: Burden
        let bytes: Int

        init(_ bytes: Int, on burden: Burden) {
            (self.bytes, self.burden) = (bytes, burden)
            burden.bytes += bytes
        }

        deinit { burden.bytes -= bytes }
    }

    /// Takes a call on; false for one that is too long, and where those that are held leave no room for it.
    ///
    /// libsystemd has the message in memory already: it takes up to 128 MiB. What is refused is released at once.
    func takes(_ call: BusMessage) -> Bool {
        guard let size = call.size(limit: Self.longest), bytes + size <= Self.maximum else { return false }
        call.weight = Weight(size, on: self)
        return true
    }
}
