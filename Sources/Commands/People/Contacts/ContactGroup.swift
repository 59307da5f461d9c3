internal import ArgumentParser
internal import HSIP
internal import Presentation
internal import RecordStore
internal import System
internal import Text
internal import VaultKit

/// `hsip contact`: the people you know.
struct ContactGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contact",
        abstract: "Manage your contacts: list, show, rename, remove, restore.",
        subcommands: [
            ContactList.self, ContactShow.self, ContactSet.self, ContactRemove.self, ContactRestore.self,
            ContactReplaceKey.self,
        ]
    )
}

/// `hsip contact list`.
struct ContactList: Command {
    static let path = "contact list"
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List your contacts.",
        discussion: """
              hsip contact list
              hsip contact list --trash
            """
    )

    @Flag(help: "Show the trash instead.")
    var trash = false

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let contacts = try await vault(Operations.contacts, Listing(inTrash: trash))
        let display = context.output.display
        let columns = [
            Column("contact"), Column("verified", .left, .wrapped), Column("session", .left, .whole),
            Column("PeerID", .left, .whole, spare: 2), Column("note", spare: 1),
        ]
        let rows = contacts.map { summary in
            let (contact, state) = (summary.contact, summary.sessionState)
            return [
                Cell(own: contact.alias, display), TrustCell.cell(contact),
                Cell(state.map { StateCell.text($0) } ?? "none", value: state?.rawValue ?? "none"),
                Cell(contact.peerID.text), Cell(own: contact.note, display),
            ]
        }
        try context.list(
            Table(columns, rows: rows),
            empty: trash ? "no contacts in the trash" : "no contacts yet"
        )
        try await context.tellDamagedIdentity(vault)
        if contacts.isEmpty, !trash {
            context.output.hint("hsip pair  shows your code to someone")
        }
        try await context.endShort(vault, of: ["hsip.contact", "hsip.pairing"])
        try context.output.succeed(.contacts(contacts))
    }
}

extension Context {
    /// Warns that the identity cannot be read: a list of contacts does not need it, but messages to them do.
    func tellDamagedIdentity(_ vault: any VaultService) async throws {
        do {
            _ = try await vault(Operations.identity)
        } catch VaultError.store(.tampered(.record(let record))) {
            output.warn(DamageTexts.warning(record, "nothing can be sent or paired without it"))
        }
    }
}

/// `hsip contact rm NAME`.
struct ContactRemove: Command {
    static let path = "contact rm"
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Move a contact to the trash and end its sessions.",
        discussion: """
            hsip prints a notice that ends the sessions for the contact too. hsip contact restore, or \
            pairing again, restores name, trust and note, but not the sessions. If sessions end, hsip asks \
            first at a terminal; -y answers.

              hsip contact rm bob > notice.txt
            """
    )

    @Argument(help: "The contact.", completion: .contacts)
    var name: String

    @OptionGroup(title: "Where the notice goes")
    var delivery: DeliveryOptions

    func run(_ context: Context) async throws {
        let delivery = CodeDelivery(context, delivery.places)
        try delivery.check()
        let vault = try await context.openVault()
        // An operation that cannot be undone needs the exact name.
        let before = try await ContactNames(context, vault).resolve(name, exactly: true)
        let alias = before.alias
        if !before.sessions.isEmpty, context.terminal.isAvailable {
            try EndNotice.ask(about: alias, context)
        }
        let offers = try await vault.openOffers().count { $0.contact == alias }
        let reply = try await context.explaining(vault, about: alias) {
            try await vault(Operations.removeContact, alias)
        }
        let notice = try EndNotice.deliver(reply.code, of: alias, context, delivery)
        let shown = context.output.display.cell(alias)
        context.output.say("\(shown) is in the trash: hsip contact restore \(ShellWord.quoted(alias))")
        await context.tellGiven(to: alias, vault)
        let now = try await vault(Operations.contact, alias)
        let ended = before.sessions.count
        try context.output.succeed(
            .removed(now, notice: notice, endedPairings: ended, closedOffers: offers)
        )
    }
}

/// `hsip contact restore NAME`.
struct ContactRestore: Command {
    static let path = "contact restore"
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a contact from the trash, without its sessions.",
        discussion: """
              hsip contact restore bob
            """
    )

    @Argument(help: "The contact.")
    var name: String

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let isThere = try await vault(Operations.contacts, .kept).contains { $0.alias == name }
        let alias =
            isThere ? name : try await ContactNames(context, vault).resolve(name, inTrash: true).alias
        let reply = try await context.explaining(vault, about: alias) {
            try await vault(Operations.restoreContact, alias)
        }
        let now = try await vault(Operations.contact, alias)
        let shown = context.output.display.cell(alias)
        context.output.say(isThere ? "\(shown) is not in the trash." : "\(shown) is back.")
        context.output.tell(reply.notices, about: alias)
        if reply.notices.isEmpty {
            context.output.hint("hsip pair \(ShellWord.quoted(alias))  begins a new session")
        }
        try context.output.succeed(.contact(now))
    }
}
