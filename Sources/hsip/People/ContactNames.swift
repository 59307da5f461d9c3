internal import Console
internal import HSIP
internal import RecordStore
internal import SafeText
internal import VaultKit

/// Turns the name on the command line into the alias of a contact.
///
/// Exact for scripts; a person at a terminal may write the beginning of a name, and is told which it was.
struct ContactNames {
    let context: Context
    let vault: any VaultService

    init(_ context: Context, _ vault: any VaultService) {
        self.context = context
        self.vault = vault
    }

    /// The contact that a word names.
    ///
    /// - Parameters:
    ///   - exactly: no beginning of a name will do, because the act cannot be undone.
    ///   - inTrash: look among the removed ones.
    /// - Throws: `unknownContact` with the name that is nearest.
    func resolve(_ word: String, exactly: Bool = false, inTrash: Bool = false) async throws -> ContactSummary
    {
        guard !CodeIntake.looksLikeCode(word) else {
            throw Failure.usage(
                "the name of a contact goes here, and this is a code",
                hint: "hsip accept  takes codes"
            )
        }
        let contacts = try await vault.contacts(inTrash: inTrash)
        let named = contacts.filter { $0.alias == word }
        guard named.count < 2 else { throw Self.ambiguous(word, named) }
        if let contact = named.first { return contact }
        if !exactly, context.isInteractive {
            let begun = contacts.filter { $0.alias.hasPrefix(word) }
            if begun.count == 1, let contact = begun.first {
                tellPrefix(word, contact.alias)
                return contact
            }
        }
        // It may be the one that cannot be read, whose name is not known.
        for record in try await vault.damagedRecords() where record.kind ?? "hsip.contact" == "hsip.contact" {
            throw StoreError.tampered(.record(record))
        }
        var failure = unknown(word, among: contacts.map(\.alias))
        if !inTrash, try await vault.contacts(inTrash: true).contains(where: { $0.alias == word }) {
            failure.message = "\(context.output.display.name(word)) is in the trash"
            failure.hint = "hsip contact restore \(ShellWord.quoted(word))"
        }
        throw failure
    }

    /// Does something with a name: as it stands, or else with the contact whose name begins like that.
    ///
    /// Saves the look at every contact when the name is exact, as it is in every script.
    func using<R>(_ word: String, _ body: (String) async throws -> R) async throws -> (R, alias: String) {
        do {
            return (try await context.explaining(vault, about: word) { try await body(word) }, word)
        } catch let failure as Failure where failure.code == HSIPError.unknownContact.name {
            let alias = try await resolve(word).alias
            return (try await context.explaining(vault, about: alias) { try await body(alias) }, alias)
        }
    }

    private func tellPrefix(_ word: String, _ alias: String) {
        context.output.note(
            Warning(
                "prefixMatched",
                "that is \(context.output.display.cell(alias))",
                fields: [JSONMember("given", .text(word)), JSONMember("contact", .text(alias))]
            )
        )
    }

    private func unknown(_ word: String, among names: [String]) -> Failure {
        let display = context.output.display
        let near = names.filter { NameDistance.between(word, $0) <= 2 || $0.hasPrefix(word) }.sorted()
        let shown = near.prefix(3).map { display.cell($0) }.joined(separator: " or ")
        let question = near.isEmpty ? "" : "; did you mean \(shown)?"
        return Failure(
            .notFound,
            code: "unknownContact",
            message: "there is no contact named \(display.name(word))\(question)",
            hint: "hsip contact list"
        )
    }

    private static func ambiguous(_ name: String, _ contacts: [ContactSummary]) -> Failure {
        Failure(
            .conflict,
            code: "ambiguousName",
            message: "two contacts have this name",
            hint: "hsip contact set \(ShellWord.quoted(name)) --alias OTHER",
            details: [
                "name": .text(name), "peerIds": .list(contacts.map { .text($0.contact.peerID.text) }),
            ]
        )
    }
}
