import SSHFormats
import VaultCrypto

extension FuzzTarget {
    static func keyRecord(_ bytes: [UInt8]) -> String? {
        guard let content = try? Secret(copying: bytes), let record = try? KeyRecord(content: content) else {
            return nil
        }
        guard let written = try? record.content() else { return "a record that was read cannot be written" }
        guard let again = try? KeyRecord(content: written), let second = try? again.content() else {
            return "a record that was written cannot be read"
        }
        guard ConstantTime.equal(second, written) else { return "another record comes back" }
        guard again.publicKey == record.publicKey, again.use == record.use, again.state == record.state else {
            return "another key comes back"
        }
        return nil
    }
}
