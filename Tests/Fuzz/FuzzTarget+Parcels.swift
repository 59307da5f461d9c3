import HSIP
import Secrets
import VaultCrypto

extension FuzzTarget {
    static func parcelContent(_ bytes: [UInt8]) -> String? {
        guard let content = try? Secret(copying: bytes), let parcel = try? Parcel(plaintext: content) else {
            return nil
        }
        guard let again = try? parcel.plaintext(), again.withBytes({ $0.copied() }) == bytes else {
            return "another parcel comes back"
        }
        guard (parcel.content == nil) == (parcel.act == .withdraw) else {
            return "an act without its content"
        }
        if parcel.act == .give, (try? parcel.credential())?.current.number != parcel.version {
            return "a credential of another version"
        }
        return nil
    }

    /// A text as it comes; and the bytes as a parcel that is written into a text and found again.
    static func parcelText(_ bytes: [UInt8]) -> String? {
        for found in ParcelText.find(in: bytes) {
            guard found.range.lowerBound >= 0, found.range.upperBound <= bytes.count else {
                return "a parcel beyond the text"
            }
            guard found.readings.count <= 3, Set(found.readings).count == found.readings.count else {
                return "too many readings"
            }
        }
        guard let message = try? MessageEnvelope(bytes: [1] + [UInt8](repeating: 3, count: 92)),
            let header = try? FileHeader(keyMessage: message, for: .parcel),
            let parcel = try? SealedParcel(bytes: header.bytes + bytes + [UInt8](repeating: 0, count: 16)),
            let text = try? ParcelText.write(parcel)
        else { return nil }
        let around = Array("a b\n".utf8) + text + Array(" c\n".utf8)
        guard ParcelText.find(in: around).map({ $0.readings.first }) == [parcel] else {
            return "a parcel that was written is not found"
        }
        return nil
    }
}
