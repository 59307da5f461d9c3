import HSIP
import VaultCrypto

extension FuzzTarget {
    /// A code between people: one that is read is written as it was, and found again in its own text.
    static func exchangeCode(_ bytes: [UInt8]) -> String? {
        if let code = try? ExchangeCode(bytes: bytes) {
            guard code.bytes == bytes else { return "other bytes come back" }
            if let broken = rereading([code]) { return broken }
        }
        guard let codes = try? CodeText.codes(in: bytes) else { return nil }
        return rereading(codes)
    }

    private static func rereading(_ codes: [ExchangeCode]) -> String? {
        for code in codes {
            guard (try? CodeText.codes(in: Array(code.text.lowercased().utf8))) == [code] else {
                return "another code comes back"
            }
            let isLong = code.header?.suite == .two
            guard isLong == (code.bytes.count > 1_200) else { return "a code of the length of another suite" }
        }
        return nil
    }

    /// A record: what is read is written with the same bytes.
    static func peopleRecord(_ bytes: [UInt8]) -> String? {
        guard let kind = bytes.first, let content = try? Secret(copying: Array(bytes.dropFirst())),
            let peer = PeerID(bytes: [UInt8](repeating: 1, count: 32)),
            let id = PairingID(bytes: [UInt8](repeating: 2, count: 16))
        else { return nil }
        return switch kind % 7 {
        case 0: rewriting(content, RecordContent.contact(_:peerID:), peer, RecordContent.encode)
        case 1: rewriting(content, RecordContent.pairing(_:id:), id, RecordContent.encode)
        case 2: rewriting(content, RecordContent.offer(_:ref:), id.bytes, RecordContent.encode)
        case 3: rewriting(content, unnamed(RecordContent.identity), (), RecordContent.encode)
        case 4: rewriting(content, unnamed(RecordContent.revoked), (), RecordContent.encode)
        case 5: rewriting(content, unnamed(RecordContent.seen), (), RecordContent.encode)
        default: rewriting(content, unnamed(RecordContent.clock), (), RecordContent.encode)
        }
    }

    /// A reader whose record needs no name.
    private static func unnamed<Value>(
        _ read: @escaping (Secret) throws -> Value
    ) -> (Secret, Void) throws -> Value {
        { (content, _) in try read(content) }
    }

    private static func rewriting<Value, Name>(
        _ content: Secret,
        _ read: (Secret, Name) throws -> Value,
        _ name: Name,
        _ write: (Value) throws -> Secret
    ) -> String? {
        guard let value = try? read(content, name) else { return nil }
        guard let written = try? write(value) else { return "a record that was read cannot be written" }
        return ConstantTime.equal(written, content) ? nil : "other bytes come back"
    }
}
