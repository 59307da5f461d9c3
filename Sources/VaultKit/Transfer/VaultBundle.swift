public import Credentials
internal import SSHFormats
public import VaultCrypto

/// What an export of a vault holds, on its way into another one: all of it in one commit.
public struct VaultBundle: Sendable, Codable {
    /// Passwords, tokens, notes and files.
    public var secrets = CredentialBatch()
    /// Host profiles.
    public var hosts: [NewHost] = []
    /// The lines of a known_hosts file.
    public var knownHosts: [UInt8] = []
    private var keyNames: [String] = []
    private var keyContents = SecretPack()

    /// Nothing.
    public init() {}

    /// How many things there are; the lines of known hosts do not count.
    public var count: Int { secrets.count + hosts.count + keyNames.count }

    /// Adds an SSH key by the content of its record.
    ///
    /// - Throws: `outOfMemory`, as `secret`.
    public mutating func addKey(_ content: Secret, named name: String) throws(VaultError) {
        do throws(CredentialError) {
            try keyContents.append(content)
            keyNames.append(name)
        } catch {
            throw .secret(error)
        }
    }

    /// The SSH keys, read.
    ///
    /// - Throws: what `KeyRecord` refuses; `malformedCall`.
    func keys() throws(VaultError) -> [KeyImport] {
        let contents: [Secret]
        do throws(CredentialError) { contents = try keyContents.secrets() } catch { throw .secret(error) }
        guard contents.count == keyNames.count else { throw .malformedCall }
        return try zip(keyNames, contents).map { (name, content) throws(VaultError) in
            do throws(SSHFormatError) {
                var record = try KeyRecord(content: content)
                record.removedAt = nil
                return KeyImport(record, named: name)
            } catch {
                throw .ssh(.format(error))
            }
        }
    }
}
