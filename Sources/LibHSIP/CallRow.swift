internal import FileStore
internal import HSIP
internal import Presentation
internal import Secrets
internal import VaultKit

/// A command of `hsip_call`: the members of its request, and its operation, which returns the JSON of the command line.
///
/// The table has the commands that need neither the value of a secret nor a person, and change nothing outside the vault.
struct CallRow: Sendable {
    typealias Work = @Sendable (OpenedService, CallRequest) async throws -> CallAnswer

    let needed: [String]
    private let others: [String]
    let work: Work

    /// Makes a row.
    ///
    /// - Parameters:
    ///   - needed: The members that a request must have.
    ///   - others: The members that it may have.
    ///   - work: The operation of the command.
    init(_ needed: String..., or others: [String] = [], work: @escaping Work) {
        (self.needed, self.others, self.work) = (needed, others, work)
    }

    /// True if a request may have this member.
    func allows(_ member: String) -> Bool { needed.contains(member) || others.contains(member) }

    /// All commands by their names.
    static let all = [people, secrets, ssh].reduce(into: [:]) { all, rows in all.merge(rows) { one, _ in one }
    }

    private static let people: [String: CallRow] = [
        "version": CallRow { _, _ in CallAnswer(.version(sqlite: FileStore.engineVersion)) },
        "identity show": CallRow { opened, _ in
            CallAnswer(.identity(try await opened.vault(Operations.identity)))
        },
        "contact list": CallRow(or: ["trash"]) { opened, request in
            let wanted = Listing(inTrash: request.inTrash)
            return CallAnswer(.contacts(try await opened.vault.whole()(Operations.contacts, wanted)))
        },
        "contact show": CallRow("name") { opened, request in
            let contact = try await opened.vault(Operations.contact, request.text("name"))
            let isSuspicious = contact.contact.trust == .suspicious
            return CallAnswer(.contact(contact), isSuspicious ? [.suspicious] : [], about: contact)
        },
        "contact set": CallRow("name", or: ["alias", "note", "requireVerified"]) { opened, request in
            let name = try request.text("name")
            let change = ContactChange(
                alias: request["alias"],
                note: request["note"],
                requiresVerification: request.truth("requireVerified")
            )
            let reply = try await opened.vault(Operations.setContact, name, change)
            return try await contact(change.alias ?? name, after: reply, opened)
        },
        // The sessions end too; the answer has the notice that informs the other side.
        "contact rm": CallRow("name") { opened, request in
            let before = try await opened.vault(Operations.contact, request.text("name"))
            let offers = try await opened.vault.openOffers().count { $0.contact == before.alias }
            let reply = try await opened.vault(Operations.removeContact, before.alias)
            let notice = reply.code.map { JSONValue.code($0, contact: before.alias, isCached: false) }
            return CallAnswer(
                .removed(
                    try await opened.vault(Operations.contact, before.alias),
                    notice: notice ?? .null,
                    endedPairings: before.sessions.count,
                    closedOffers: offers
                )
            )
        },
        "contact restore": CallRow("name") { opened, request in
            let name = try request.text("name")
            return try await contact(
                name,
                after: try await opened.vault(Operations.restoreContact, name),
                opened
            )
        },
        "session list": CallRow { opened, _ in
            let contacts = try await opened.vault.whole()(Operations.contacts, .kept)
            return CallAnswer(.sessions(contacts.filter { $0.sessionState != nil }))
        },
        "session show": CallRow("name") { opened, request in
            let contact = try await opened.vault(Operations.contact, request.text("name"))
            guard contact.sessionState != nil else { throw VaultError.hsip(.noSession) }
            return CallAnswer(.session(contact))
        },
        "session rotate": CallRow("name") { opened, request in
            let name = try request.text("name")
            let reply = try await opened.vault(Operations.rotate, name, OfferRequest())
            guard let code = reply.code else { throw VaultError.hsip(.noSession) }
            let contact = try await opened.vault(Operations.contact, name)
            let shown = JSONValue.code(code, contact: contact.alias, isCached: reply.isCached)
            return CallAnswer(shown, reply.notices, about: contact)
        },
        // `hsip_pair` makes codes; this closes the open offers.
        "pair": CallRow("closeAll") { opened, _ in
            CallAnswer(.closed(try await opened.vault(Operations.closeOffers)))
        },
    ]

    private static func contact(
        _ name: String,
        after reply: Reply,
        _ opened: OpenedService
    ) async throws -> CallAnswer {
        let contact = try await opened.vault(Operations.contact, name)
        return CallAnswer(.contact(contact), reply.notices, about: contact)
    }

    private static let secrets: [String: CallRow] = [
        "secret list": CallRow(or: ["query", "tag", "type", "trash"]) { opened, request in
            var query = CredentialQuery()
            query.text = request["query"]
            query.tag = request["tag"]
            query.kind = request["type"].flatMap { CredentialKind(word: $0) }
            query.inTrash = request.inTrash
            return CallAnswer(.secrets(try await opened.vault.whole().credentials(query), now: opened.now))
        },
        "secret show": CallRow("name", or: ["trash"]) { opened, request in
            let wanted = Listing(inTrash: request.inTrash)
            let details = try await opened.vault(Operations.credential, request.text("name"), wanted)
            var answer = CallAnswer(.secretDetails(details, now: opened.now))
            if let end = details.summary.expires.map({ Int64(clamping: $0) }), end <= opened.now {
                answer.warn("secretExpired", details.summary.name, "expiredAt", end)
            }
            return answer
        },
        "secret mv": CallRow("name", "to") { opened, request in
            let (name, other) = (try request.text("name"), try request.text("to"))
            return secret(try await opened.vault(Operations.moveCredential, name, other), opened)
        },
        "secret rm": CallRow("name") { opened, request in
            secret(try await opened.vault(Operations.removeCredential, request.text("name"), .any), opened)
        },
        "secret restore": CallRow("name") { opened, request in
            secret(try await opened.vault(Operations.restoreCredential, request.text("name")), opened)
        },
    ]

    private static func secret(_ secret: CredentialSummary, _ opened: OpenedService) -> CallAnswer {
        CallAnswer(.secret(secret, now: opened.now))
    }
}
