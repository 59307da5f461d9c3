/// One sixteenth of the nonces of an epoch, by their first nibble: the set that tells a replay.
///
/// Split so that a message read rewrites about 60 nonces, never 12 kB.
public struct SeenNonces: Sendable, Hashable {
    /// Names one sixteenth of one epoch's set.
    public struct Key: Hashable, Sendable {
        /// The epoch's ref, 8 bytes.
        public let epoch: [UInt8]
        /// The first nibble of the nonces.
        public let nibble: UInt8
        /// Nonces I sent myself (single profile), not those I read.
        public let isOwn: Bool

        /// The key of the row in which a nonce belongs.
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

    /// A set, empty or as it was stored; sorts what it is given.
    public init(_ nonces: [[UInt8]] = []) {
        self.nonces = nonces.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Where a nonce is, or would go.
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

    /// Adds a nonce; false if it was there.
    public mutating func insert(_ nonce: [UInt8]) -> Bool {
        let place = position(of: nonce)
        if place < nonces.count, nonces[place] == nonce { return false }
        nonces.insert(nonce, at: place)
        return true
    }
}
