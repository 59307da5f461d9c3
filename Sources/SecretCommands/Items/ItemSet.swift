internal import ArgumentParser
internal import CommandKit
internal import Console
internal import Credentials
internal import Programs
internal import VaultKit
internal import VaultPolicy

/// `hsip item set ID…`.
struct ItemSet: Command {
    static let path = "item set"
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract:
            "Change what items are called, when they end, and which programs have them without a question.",
        discussion: """
            The owner, and every reader, has the item without a question. A program is named by the absolute path of \
            its file, flatpak:ID or snap:NAME. With --program, --collection or --schema in place of ids, all of those \
            are changed, after a question.

              hsip item set 3f2a --label "mail at work"
              hsip item set 3f2a --reader /usr/bin/mutt
              hsip item set --schema org.gnome.Epiphany --owner /usr/bin/epiphany
              hsip item set --program /usr/bin/old --owner none
            """
    )

    @Argument(help: "The items.", completion: .items)
    var items: [String] = []

    @OptionGroup(title: "In place of ids")
    var conditions: ItemConditions

    @Option(help: ArgumentHelp("Another label.", valueName: "text"))
    var label: String?

    @Option(help: ArgumentHelp("When they end: 90d, 2027-03-01, or never.", valueName: "time"))
    var expires: String?

    @Option(help: ArgumentHelp("Another owner; none removes the owner.", valueName: "program"))
    var owner: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("A program that has them without a question from now on.", valueName: "program")
    )
    var reader: [String] = []

    @Option(
        name: .customLong("no-reader"),
        parsing: .singleValue,
        help: ArgumentHelp("A program that is asked about again.", valueName: "program")
    )
    var formerReader: [String] = []

    func run(_ context: Context) async throws {
        let (change, access) = try changes(now: context.now)
        guard change != nil || access != nil else {
            throw Failure.usage(
                "what is to change?",
                hint: "hsip item set \(items.first ?? "ID") --reader PROGRAM"
            )
        }
        guard items.isEmpty != conditions.isEmpty else {
            throw Failure.usage("name items, or --program, --collection or --schema in their place")
        }
        let isMeant = try conditions.test()
        let vault = try await context.openVault()
        let found = FoundItems(context, vault)
        let meant = try await conditions.isEmpty ? found.each(items) : found.all().filter(isMeant)
        guard !meant.isEmpty else { throw VaultError.item(.unknownItem) }
        guard try conditions.isEmpty || context.agrees("Change \(meant.count) items?") else {
            throw ConsoleError.refused
        }
        let ids = meant.map(\.place.id)
        // Who may have them comes last: a label that is refused has changed nothing then.
        var views: [ItemView] = []
        for part in stride(from: 0, to: ids.count, by: ItemView.maximum) {
            let some = Array(ids[part..<min(part + ItemView.maximum, ids.count)])
            var changed: [ItemView] = []
            if let change { changed = try await vault.setItems(some, change) }
            if let access { changed = try await vault.setItemAccess(some, access) }
            views += changed
        }
        context.output.say(views.count == 1 ? "1 item is changed." : "\(views.count) items are changed.")
        try context.output.succeed(["items": .list(views.map { .item($0) })])
    }

    /// What is changed about the items, and about who has them without a question.
    private func changes(now: Int64) throws -> (ItemChange?, access: ItemChange?) {
        var change = ItemChange()
        change.label = label
        if let expires {
            switch try SecretTimes.end(expires, now: now) {
            case .at(let time): change.expires = time
            case .never: change.expires = 0
            }
        }
        var access = ItemChange()
        access.owner = try owner.map { try ItemWords.owner($0) }
        access.newReaders = try reader.map { try ItemWords.program($0) }
        access.formerReaders = try formerReader.map { try ItemWords.program($0) }
        let hasAccess = owner != nil || !reader.isEmpty || !formerReader.isEmpty
        return (label != nil || expires != nil ? change : nil, hasAccess ? access : nil)
    }
}
