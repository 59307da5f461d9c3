/// One sixteenth of an epoch's nonces, by their first nibble, to recognize replays.
///
/// The set is split so that reading a message rewrites about 60 nonces, never 12 kB.
public struct SeenNonces: Sendable, Hashable {
    /// The key of one sixteenth of one epoch's set.
    public struct Key: Hashable, Sendable {
        /// The epoch's ref, 8 bytes.
        public let epoch: [UInt8]
        /// The first nibble of the nonces.
        public let nibble: UInt8
        /// Whether the nonces are my own sent ones (single profile), not the ones I read.
        public let isOwn: Bool

        /// The key of a nonce's row.
        public init(epoch: [UInt8], nonce: [UInt8], isOwn: Bool = false) {
            self.init(epoch: epoch, nibble: (nonce.first ?? 0) >> 4, isOwn: isOwn)
        }

        /// A row by its nibble, 0...15.
        public init(epoch: [UInt8], nibble: UInt8, isOwn: Bool = false) {
            self.epoch = epoch
            self.nibble = nibble
            self.isOwn = isOwn
        }
    }

    /// The nonces, 12 bytes each, ascending.
    public private(set) var nonces: [[UInt8]]

    /// A set, empty or stored; sorts its nonces.
    public init(_ nonces: [[UInt8]] = []) {
        self.nonces = nonces.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The index of a nonce, or where to insert it.
    private func position(of nonce: [UInt8]) -> Int {
        var low = 0
        var high = nonces.count
        while low < high {
            let middle = (low + high) / 2
            if nonces[middle].lexicographicallyPrecedes(nonce) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether a nonce is in the set.
    public func contains(_ nonce: [UInt8]) -> Bool {
        let place = position(of: nonce)
        return place < nonces.count && nonces[place] == nonce
    }

    /// Adds a nonce; returns false if it is already in the set.
    public mutating func insert(_ nonce: [UInt8]) -> Bool {
        let place = position(of: nonce)
        if place < nonces.count, nonces[place] == nonce { return false }
        nonces.insert(nonce, at: place)
        return true
    }
}
