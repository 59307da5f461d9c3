import RecordStore
import VaultCrypto

extension FuzzTarget {
    /// The kind of a slot of hardware, and its parameters; what is read is written as it was.
    static func slotParameters(_ bytes: [UInt8]) -> String? {
        guard let kind = bytes.first, let params = CarriedParams(Array(bytes.dropFirst())),
            let device = SlotDevice(params, SlotKind(rawValue: UInt32(kind)))
        else { return nil }
        let again = device.carried(salt: params.salt).carrying(params.carry)
        return again == params ? nil : "other parameters come back"
    }

    /// A message to or from hsip-hardware; what is read means the same once it is written.
    static func hardware(_ bytes: [UInt8], _ again: ([UInt8]) throws -> SecretBytes?) -> String? {
        guard let once = try? again(bytes) else { return nil }
        let first = once.withBytes { $0.copied() }
        let twice = try? again(first)
        return twice?.withBytes { $0.copied() } == first ? nil : "another message comes back"
    }

    /// The text of a key file; what is read is written as it was, but for the end of its line.
    static func unlockFile(_ bytes: [UInt8]) -> String? {
        guard let secret = try? KeyFile.read(bytes) else { return nil }
        guard let text = try? KeyFile.text(of: secret) else { return "not written again" }
        let again = text.withBytes { $0.copied() }
        return again == bytes || again.dropLast() == bytes[...] ? nil : "another text comes back"
    }
}
