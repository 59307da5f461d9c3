internal import Answers
internal import FileStore
internal import HSIP
internal import VaultCrypto
internal import VaultKit

/// The commands of `hsip_call`: what needs neither secrets nor a person, with the JSON of the command line.
enum CallTable {
    /// What a command does with the vault.
    typealias Work = @Sendable (any VaultService) async throws -> CallAnswer

    /// The members that a command has, and what it does.
    typealias Entry = (members: Set<String>, make: @Sendable (CallRequest) throws(LibraryError) -> Work)

    /// Every command by its name.
    static let commands: [String: Entry] = [
        "version": ([], { (_) throws(LibraryError) in { _ in version } }),
        "identity show": (
            [], { (_) throws(LibraryError) in { CallAnswer(.identity(try await $0.identity())) } }
        ),
        "contact list": (
            [], { (_) throws(LibraryError) in { CallAnswer(.contacts(try await $0.contacts())) } }
        ),
        "contact show": (["name"], { (request) throws(LibraryError) in try contact(request) }),
        "contact set": (
            ["name", "alias", "note", "requireVerified"],
            { (request) throws(LibraryError) in try setContact(request) }
        ),
        "contact restore": (["name"], { (request) throws(LibraryError) in try restoreContact(request) }),
        "session list": ([], { (_) throws(LibraryError) in sessions }),
        "session show": (["name"], { (request) throws(LibraryError) in try session(request) }),
        "pair": (["closeAll"], { (request) throws(LibraryError) in try closeOffers(request) }),
    ]

    private static var version: CallAnswer {
        CallAnswer(.version(Library.version, sqlite: FileStore.engineVersion))
    }

    private static func contact(_ request: CallRequest) throws(LibraryError) -> Work {
        let name = try request.text("name")
        return { CallAnswer(.contact(try await $0.contact(name))) }
    }

    private static func setContact(_ request: CallRequest) throws(LibraryError) -> Work {
        let name = try request.text("name")
        let change = ContactChange(
            alias: try request.optionalText("alias"),
            note: try request.optionalText("note"),
            requiresVerification: try request.optionalTruth("requireVerified")
        )
        return { vault in
            let reply = try await vault.setContact(name, change)
            return try await answer(reply, change.alias ?? name, vault)
        }
    }

    private static func restoreContact(_ request: CallRequest) throws(LibraryError) -> Work {
        let name = try request.text("name")
        return { vault in try await answer(try await vault.restoreContact(name), name, vault) }
    }

    private static let sessions: Work = { vault in
        CallAnswer(.sessions(try await vault.contacts().filter { $0.sessionState != nil }))
    }

    private static func session(_ request: CallRequest) throws(LibraryError) -> Work {
        let name = try request.text("name")
        return { vault in
            let contact = try await vault.contact(name)
            guard contact.sessionState != nil else { throw HSIPError.noSession }
            return CallAnswer(.session(contact))
        }
    }

    /// Codes are the business of `hsip_pair`; this closes those that wait.
    private static func closeOffers(_ request: CallRequest) throws(LibraryError) -> Work {
        guard try request.optionalTruth("closeAll") == true else { throw .usage }
        return { CallAnswer(.closed(try await $0.closeOffers())) }
    }

    private static func answer(
        _ reply: Reply,
        _ name: String,
        _ vault: any VaultService
    ) async throws -> CallAnswer {
        let now = try await vault.contact(name)
        var answer = CallAnswer(.contact(now))
        answer.add(reply.notices, about: now)
        return answer
    }
}
