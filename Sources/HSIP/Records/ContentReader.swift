internal import VaultCrypto

/// Reads the content of a record: total, every length compared before anything is taken.
struct ContentReader {
    private let content: Secret
    private var place = 0

    init(_ content: Secret) { self.content = content }

    mutating func u8() throws(HSIPError) -> UInt8 { try raw(1)[0] }

    mutating func u16() throws(HSIPError) -> UInt16 {
        try raw(2).reduce(0) { $0 << 8 | UInt16($1) }
    }

    mutating func u32() throws(HSIPError) -> UInt32 {
        try raw(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func time() throws(HSIPError) -> UInt64 { UInt64(try u32()) }

    mutating func optionalTime() throws(HSIPError) -> UInt64? {
        let value = try time()
        return value == 0 ? nil : value
    }

    /// Public bytes.
    mutating func raw(_ count: Int) throws(HSIPError) -> [UInt8] {
        guard count >= 0, count <= content.count - place else { throw .malformed }
        defer { place += count }
        let start = place
        return content.withBytes { $0.extracting(start..<start + count).copied() }
    }

    /// Secret bytes, from locked memory to locked memory.
    mutating func secret(_ count: Int) throws(HSIPError) -> Secret {
        guard count >= 0, count <= content.count - place else { throw .malformed }
        let start = place
        place += count
        do { return Secret(try content.slice(start..<start + count)) } catch {
            throw HSIPError(error)
        }
    }

    mutating func short() throws(HSIPError) -> [UInt8] { try raw(Int(try u8())) }

    mutating func long() throws(HSIPError) -> [UInt8] { try raw(Int(try u16())) }

    /// UTF-8 text behind one length byte.
    mutating func shortText() throws(HSIPError) -> String { try text(try short()) }

    /// UTF-8 text behind two length bytes.
    mutating func longText() throws(HSIPError) -> String { try text(try long()) }

    private func text(_ bytes: [UInt8]) throws(HSIPError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .malformed }
        return text
    }

    mutating func bool() throws(HSIPError) -> Bool {
        switch try u8() {
        case 0: false
        case 1: true
        default: throw .malformed
        }
    }

    /// The version, which a kind may have more than one of.
    @discardableResult
    mutating func version(upTo last: UInt8 = RecordContent.version) throws(HSIPError) -> UInt8 {
        let version = try u8()
        guard (RecordContent.version...last).contains(version) else { throw .unsupportedVersion }
        return version
    }

    mutating func peer() throws(HSIPError) -> PeerID {
        guard let peer = PeerID(bytes: try raw(32)) else { throw .malformed }
        return peer
    }

    func finish() throws(HSIPError) {
        guard place == content.count else { throw .malformed }
    }
}
