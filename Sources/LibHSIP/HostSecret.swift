internal import AgentProtocol
internal import Programs
internal import RecordStore
internal import VaultCrypto
internal import VaultLifecycle

/// A secret that the host program asks its person for.
struct HostSecret: SecretSource {
    let place: VaultPlace
    /// What the host program calls itself.
    let program: String?
    let asker: Asker

    var isNamed: Bool { false }

    func secret(attempt: Int) throws(OpeningError) -> SecretBytes {
        let name = place.name == "vault" ? "" : " of \(place.key)"
        let question = Question(
            .passphrase,
            title: "Passphrase or recovery code\(name)",
            lines: program.map { ["\($0) wants to open the vault."] } ?? [],
            attempt: attempt
        )
        switch asker.answer(question) {
        case .passphrase(let secret): return try GivenSecret(secret).secret(attempt: attempt)
        case .no, .yes: throw .file(.refused)
        case .nobody: throw .store(.locked)
        case .late: throw .store(.busy)
        }
    }
}
