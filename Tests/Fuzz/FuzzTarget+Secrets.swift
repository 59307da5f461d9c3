import Secrets
import VaultCrypto

extension FuzzTarget {
    private static let key = [UInt8](repeating: 7, count: 32)

    static func oneTimeKey(_ bytes: [UInt8]) -> String? {
        guard let text = try? SecretBytes(copying: bytes), let key = try? OneTimeKey(reading: text) else {
            return nil
        }
        guard key.isSteam ? key.digits == 5 : OneTimeKey.digits.contains(key.digits),
            (1...OneTimeKey.longest).contains(key.key.count)
        else {
            return "a key that no service has"
        }
        guard let password = try? key.password(counter: UInt64(bytes.count)), password.count == key.digits
        else {
            return "a password of another length"
        }
        let isDigits = password.withBytes { span in
            (0..<span.byteCount).allSatisfy { place in
                let byte = span.byte(at: place)
                let isLetter = "BCDFGHJKMNPQRTVWXY".utf8.contains(byte)
                return (0x30...0x39).contains(byte) || key.isSteam && isLetter
            }
        }
        guard isDigits else { return "a password that is no number" }
        guard case .time(let period) = key.moving else { return nil }
        guard let now = try? key.password(at: Int64.max), (1...period).contains(now.secondsLeft) else {
            return "a password without an end"
        }
        return nil
    }

    /// The slices of a file whose key everyone knows: without it, none is ever opened.
    static func exportFile(_ bytes: [UInt8]) -> String? {
        if ExportReader.isExport(bytes), (try? ExportReader.parameters(of: bytes)) == nil { return nil }
        guard let key = try? Secret(copying: key) else { return nil }
        return (try? ExportReader.open(bytes, key)) == nil ? nil : "something opens that nobody sealed"
    }

    static func exportContent(_ bytes: [UInt8]) -> String? {
        guard let plain = try? Secret(copying: bytes), let items = try? ExportReader.read(plain) else {
            return nil
        }
        var again: [UInt8] = []
        for item in items {
            let name = Array(item.name.utf8)
            again += [item.kind.rawValue, UInt8(name.count >> 8), UInt8(name.count & 0xFF)] + name
            again += (0..<4).map { UInt8(truncatingIfNeeded: item.content.count >> (24 - 8 * $0)) }
            again += item.content.withBytes { $0.copied() }
        }
        return again == bytes ? nil : "other things come back"
    }

    static func secretRecord(_ bytes: [UInt8]) -> String? {
        guard let content = try? Secret(copying: bytes), let credential = try? Credential(content: content)
        else {
            return nil
        }
        guard let again = try? credential.content(), again.withBytes({ $0.copied() }) == bytes else {
            return "another content comes back"
        }
        guard (1...Credential.maximumVersions).contains(credential.versions.count),
            credential.current.fields.allSatisfy({ CredentialField.isName($0.name) })
        else { return "a credential that none can be" }
        return nil
    }
}
