internal import HSIP
internal import Presentation
internal import Text
internal import VaultKit

/// Turns the name on the command line into the alias of a contact.
///
/// Scripts need exact names; a person at a terminal may type the beginning of a name, and sees which one
/// matched.
struct ContactNames {
    let context: Context
    let vault: any VaultService
    private let search: NameSearch<ContactSummary>

    init(_ context: Context, _ vault: any VaultService) {
        (self.context, self.vault) = (context, vault)
        search = NameSearch(
            context: context,
            lookup: .contacts(vault),
            name: \.alias,
            words: .contact,
            member: "contact",
            ambiguous: Self.ambiguous
        )
    }

    /// The contact that a word names.
    ///
    /// - Parameters:
    ///   - word: A name; at a terminal, the beginning of a name is enough.
    ///   - exactly: The beginning of a name is not enough, because the operation cannot be undone.
    ///   - inTrash: Look among the removed contacts.
    /// - Returns: The contact, with its alias.
    /// - Throws: `unknownContact` with the nearest name; `ambiguousName` for several contacts; `tampered`
    ///   if the name may belong to a contact that cannot be read; usage for a code.
    func resolve(_ word: String, exactly: Bool = false, inTrash: Bool = false) async throws -> ContactSummary
    {
        guard !CodeIntake.looksLikeCode(word) else {
            throw Failure.usage(
                "the command needs the name of a contact, not a code",
                hint: "hsip accept  accepts codes"
            )
        }
        let (contact, near) = try await search.find(word, exactly: exactly, inTrash: inTrash)
        if let contact { return contact }
        try await vault.checkContactsAreWhole()
        throw search.unknown(word, near: near, inTrash: inTrash)
    }

    /// Runs `body` with the exact name, or else with the contact whose name begins with the word.
    ///
    /// If the name is exact, as in every script, the other contacts are not read.
    func using<R>(_ word: String, _ body: (String) async throws -> R) async throws -> (R, alias: String) {
        do {
            return (try await context.explaining(vault, about: word) { try await body(word) }, word)
        } catch let failure as Failure where failure.name == ErrorName.unknownContact.rawValue {
            let alias = try await resolve(word).alias
            return (try await context.explaining(vault, about: alias) { try await body(alias) }, alias)
        }
    }

    private static func ambiguous(_ name: String, _ contacts: [ContactSummary]) -> Failure {
        Failure(
            .ambiguousName,
            "two contacts have this name",
            hint: "hsip contact set \(ShellWord.quoted(name)) --alias OTHER",
            details: ["name": .text(name), "peerIds": .texts(contacts.map(\.contact.peerID.text))]
        )
    }
}
