internal import Credentials
internal import RecordStore
package import SecretServiceStore
internal import VaultCrypto

extension NativeValues {
    /// Passwords and tokens, as other programs of the desktop read them; not those in the trash.
    package static let credentials = NativeValues(kinds: kinds) { _, body in
        guard let credential = try? Credentials.Credential(content: body), !credential.isRemoved else {
            return nil
        }
        switch credential.kind {
        case .login, .token: return credential.current[credential.kind.mainField]?.value
        case .note, .file: return nil
        }
    }

    private static var kinds: Set<RecordKind> {
        (try? RecordKind("secret")).map { [$0] } ?? []
    }
}
