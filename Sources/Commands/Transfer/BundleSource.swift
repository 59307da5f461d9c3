internal import Presentation
internal import SSHFormats
internal import Secrets
package import VaultCrypto
package import VaultKit

/// Reads the content of a vault's export.
package enum BundleSource {
    /// Opens an export.
    ///
    /// - Throws: a `Failure` in words: the passphrase is wrong, the file was changed, a newer program wrote it, or it
    ///   holds something that a vault cannot keep.
    package static func read(_ file: [UInt8], _ passphrase: Secret) throws -> VaultBundle {
        let items: [ExportItem]
        do throws(ExportError) {
            items = try ExportReader.items(of: file, passphrase: passphrase)
        } catch {
            throw ImportTexts.explain(error)
        }
        var bundle = VaultBundle()
        do {
            for item in items { try add(item, to: &bundle) }
        } catch CredentialError.outOfMemory {
            throw CredentialError.outOfMemory
        } catch CredentialError.unsupportedVersion {
            throw ImportTexts.explain(ExportError.unsupportedVersion)
        } catch is CredentialError {
            throw ImportTexts.unkeepable
        } catch is SSHFormatError {
            throw ImportTexts.unkeepable
        }
        return bundle
    }

    private static func add(_ item: ExportItem, to bundle: inout VaultBundle) throws {
        switch item.kind {
        case .about: break
        case .secret:
            var credential = try Credential(content: item.content)
            // The person wants the imported secret, even if it was in the trash.
            credential.removedAt = nil
            try bundle.secrets.append(credential, named: item.name)
        case .sshKey: try bundle.addKey(item.content, named: item.name)
        case .sshHost: bundle.hosts.append(try host(item))
        case .knownHosts:
            // An export has only one known_hosts: a second one would replace the first.
            guard bundle.knownHosts.isEmpty else { throw SSHFormatError.malformed }
            bundle.knownHosts = item.content.withBytes { $0.copied() }
        }
    }

    private static func host(_ item: ExportItem) throws -> NewHost {
        let record = try HostRecord(content: item.content.withBytes { $0.copied() })
        var host = NewHost(
            name: item.name,
            fields: record.profile.fields,
            id: record.profile.id,
            extras: record.extras
        )
        host.isLocal = record.isLocal
        return host
    }
}
