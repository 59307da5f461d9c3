internal import HSIP
internal import Presentation
internal import VaultKit

extension CallTable {
    /// Who I am, who the others are, and the sessions with them.
    static let people: [String: Entry] = [
        "identity show": (
            [],
            { (_) throws(LibraryError) in { CallAnswer(.identity(try await $0.vault(Operations.identity))) } }
        ),
        "contact list": (["trash"], { (request) throws(LibraryError) in try contacts(request) }),
        "contact show": (["name"], { (request) throws(LibraryError) in try contact(request) }),
        "contact set": (
            ["name", "alias", "note", "requireVerified"],
            { (request) throws(LibraryError) in try setContact(request) }
        ),
        "contact rm": (["name"], { (request) throws(LibraryError) in try removeContact(request) }),
        "contact restore": (["name"], { (request) throws(LibraryError) in try restoreContact(request) }),
        "session list": ([], { (_) throws(LibraryError) in sessions }),
        "session show": (["name"], { (request) throws(LibraryError) in try session(request) }),
        "session rotate": (["name"], { (request) throws(LibraryError) in try rotate(request) }),
        "pair": (["closeAll"], { (request) throws(LibraryError) in try closeOffers(request) }),
    ]

    private static func contacts(_ request: CallRequest) throws(LibraryError) -> Work {
        let inTrash = try request.optionalTruth("trash") ?? false
        return {
            CallAnswer(.contacts(try await $0.vault.whole()(Operations.contacts, Listing(inTrash: inTrash))))
        }
    }

    private static func contact(_ request: CallRequest) throws(LibraryError) -> Work {
        let name = try request.text("name")
        return { context in
            let contact = try await context.explaining(about: name) {
                try await context.vault(Operations.contact, name)
            }
            var answer = CallAnswer(.contact(contact))
            if contact.contact.trust == .suspicious { answer.add([.suspicious], about: contact) }
            return answer
        }
    }

    private static func setContact(_ request: CallRequest) throws(LibraryError) -> Work {
        let name = try request.text("name")
        let change = ContactChange(
            alias: try request.optionalText("alias"),
            note: try request.optionalText("note"),
            requiresVerification: try request.optionalTruth("requireVerified")
        )
        return { context in
            let reply = try await context.explaining(about: name, name: change.alias) {
                try await context.vault(Operations.setContact, name, change)
            }
            return try await answer(reply, change.alias ?? name, context)
        }
    }

    /// The sessions end with it; the notice that tells the other side so is in the answer.
    private static func removeContact(_ request: CallRequest) throws(LibraryError) -> Work {
        let name = try request.text("name")
        return { context in
            try await context.explaining(about: name) {
                let before = try await context.vault(Operations.contact, name)
                let offers = try await context.vault.openOffers().count { $0.contact == before.alias }
                let reply = try await context.vault(Operations.removeContact, before.alias)
                let notice = reply.code.map {
                    JSONValue.code($0, contact: before.alias, isCached: false)
                }
                return CallAnswer(
                    .removed(
                        try await context.vault(Operations.contact, before.alias),
                        notice: notice ?? .null,
                        endedPairings: before.sessions.count,
                        closedOffers: offers
                    )
                )
            }
        }
    }

    private static func restoreContact(_ request: CallRequest) throws(LibraryError) -> Work {
        let name = try request.text("name")
        return { context in
            let reply = try await context.explaining(about: name) {
                try await context.vault(Operations.restoreContact, name)
            }
            return try await answer(reply, name, context)
        }
    }

    private static let sessions: Work = { context in
        CallAnswer(
            .sessions(
                try await context.vault.whole()(Operations.contacts, .kept).filter { $0.sessionState != nil }
            )
        )
    }

    private static func session(_ request: CallRequest) throws(LibraryError) -> Work {
        let name = try request.text("name")
        return { context in
            try await context.explaining(about: name) {
                let contact = try await context.vault(Operations.contact, name)
                guard contact.sessionState != nil else { throw VaultError.hsip(.noSession) }
                return CallAnswer(.session(contact))
            }
        }
    }

    private static func rotate(_ request: CallRequest) throws(LibraryError) -> Work {
        let name = try request.text("name")
        return { context in
            try await context.explaining(about: name) {
                let reply = try await context.vault(Operations.rotate, name, OfferRequest())
                guard let code = reply.code else { throw VaultError.hsip(.noSession) }
                let contact = try await context.vault(Operations.contact, name)
                var answer = CallAnswer(.code(code, contact: contact.alias, isCached: reply.isCached))
                answer.add(reply.notices, about: contact)
                return answer
            }
        }
    }

    /// Codes are the business of `hsip_pair`; this closes those that wait.
    private static func closeOffers(_ request: CallRequest) throws(LibraryError) -> Work {
        guard try request.optionalTruth("closeAll") == true else { throw .usage }
        return { CallAnswer(.closed(try await $0.vault(Operations.closeOffers))) }
    }

    private static func answer(
        _ reply: Reply,
        _ name: String,
        _ context: CallContext
    ) async throws -> CallAnswer {
        let now = try await context.vault(Operations.contact, name)
        var answer = CallAnswer(.contact(now))
        answer.add(reply.notices, about: now)
        return answer
    }
}
