internal import Credentials
internal import Presentation
internal import VaultKit

extension CallTable {
    /// Passwords, tokens, notes and files, without their values.
    static let secrets: [String: Entry] = [
        "secret list": (
            ["query", "tag", "type", "trash"], { (request) throws(LibraryError) in try listSecrets(request) }
        ),
        "secret show": (["name", "trash"], { (request) throws(LibraryError) in try showSecret(request) }),
        "secret mv": (["name", "to"], { (request) throws(LibraryError) in try moveSecret(request) }),
        "secret rm": (["name"], { (request) throws(LibraryError) in try removeSecret(request) }),
        "secret restore": (["name"], { (request) throws(LibraryError) in try restoreSecret(request) }),
    ]

    private static func listSecrets(_ request: CallRequest) throws(LibraryError) -> Work {
        var query = CredentialQuery()
        query.text = try request.optionalText("query")
        query.tag = try request.optionalText("tag")
        query.inTrash = try request.optionalTruth("trash") ?? false
        if let word = try request.optionalText("type") {
            guard let kind = CredentialKind(word: word) else { throw .usage }
            query.kind = kind
        }
        let wanted = query
        return { CallAnswer(.secrets(try await $0.vault.whole().credentials(wanted), now: $0.now)) }
    }

    private static func showSecret(_ request: CallRequest) throws(LibraryError) -> Work {
        let name = try request.text("name")
        let inTrash = try request.optionalTruth("trash") ?? false
        return { context in
            let details = try await context.explaining(CredentialReference(name)) {
                try await context.vault(Operations.credential, name, Listing(inTrash: inTrash))
            }
            var answer = CallAnswer(.secretDetails(details, now: context.now))
            answer.addExpired(details.summary, now: context.now)
            return answer
        }
    }

    private static func moveSecret(_ request: CallRequest) throws(LibraryError) -> Work {
        let (name, other) = (try request.text("name"), try request.text("to"))
        return { context in
            try await context.explaining(CredentialReference(name)) {
                CallAnswer(
                    .secret(try await context.vault(Operations.moveCredential, name, other), now: context.now)
                )
            }
        }
    }

    private static func removeSecret(_ request: CallRequest) throws(LibraryError) -> Work {
        let name = try request.text("name")
        return { context in
            try await context.explaining(CredentialReference(name)) {
                CallAnswer(
                    .secret(
                        try await context.vault(Operations.removeCredential, name, .any),
                        now: context.now
                    )
                )
            }
        }
    }

    private static func restoreSecret(_ request: CallRequest) throws(LibraryError) -> Work {
        let name = try request.text("name")
        return { context in
            try await context.explaining(CredentialReference(name)) {
                CallAnswer(
                    .secret(try await context.vault(Operations.restoreCredential, name), now: context.now)
                )
            }
        }
    }
}
