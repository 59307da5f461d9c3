internal import VaultCrypto

/// A place in the log and the hash of the entry there.
package struct LogHead: Hashable, Sendable {
    /// The number of the entry, from 1 on.
    package let place: UInt64
    /// H(L(hash) ‖ entry), 32 bytes.
    package let hash: [UInt8]

    /// A place with its hash.
    package init(place: UInt64, hash: [UInt8]) {
        self.place = place
        self.hash = hash
    }

    /// Before the first entry: place 0 and 32 zero bytes.
    package static let none = LogHead(place: 0, hash: [UInt8](repeating: 0, count: 32))

    /// The hash of an entry, whole as it is on the server.
    package static func hash(of entry: [UInt8]) -> [UInt8] { Hash.sha256(LogLabel.hash.bytes + entry) }
}
