internal import Console
internal import Credentials
internal import Exports
internal import SSHFormats
internal import VaultCrypto
internal import VaultKit

/// What an export of a vault holds, read.
enum BundleSource {
    /// Opens a file.
    ///
    /// - Throws: a `Failure` in words: the passphrase is another one, the file was changed, or is of a newer program.
    static func read(_ file: [UInt8], _ passphrase: Secret) throws -> VaultBundle {
        let items: [ExportItem]
        do throws(ExportError) {
            items = try ExportReader.items(of: file, passphrase: passphrase)
        } catch {
            throw ImportTexts.explain(error)
        }
        var bundle = VaultBundle()
        for item in items {
            switch item.kind {
            case .about: break
            case .secret: try bundle.secrets.append(try Credential(content: item.content), named: item.name)
            case .sshKey: try bundle.addKey(item.content, named: item.name)
            case .sshHost: bundle.hosts.append(try host(item))
            case .knownHosts: bundle.knownHosts = item.content.withBytes { $0.copied() }
            }
        }
        return bundle
    }

    private static func host(_ item: ExportItem) throws -> NewHost {
        let record = try HostRecord(content: item.content.withBytes { $0.copied() })
        return NewHost(
            name: item.name,
            fields: record.profile.fields,
            id: record.profile.id,
            extras: record.extras
        )
    }
}
