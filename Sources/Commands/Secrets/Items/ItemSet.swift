internal import ArgumentParser
internal import Glibc
internal import Presentation
internal import RecordStore
internal import Secrets
internal import System
internal import Text
internal import VaultKit
internal import VaultLifecycle
internal import VaultPolicy

/// `hsip item set ID…`.
struct ItemSet: Command {
    static let path = "item set"
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract:
            "Change an item's label, expiry, owner or readers.",
        discussion: """
            The owner and the readers read, change and delete the item without asking. Name a program by its \
            real path (readlink -f FILE), flatpak:ID or snap:NAME, and a script of root by "TOOL SCRIPT".

              hsip item set 3f2a --reader /usr/bin/mutt
              hsip item set 3f2a --reader "/usr/bin/python3.11 /usr/share/app/mail.py"
              hsip item set --program /usr/bin/old --owner none
            """
    )

    @Argument(help: "The items' ids or labels.", completion: .items)
    var items: [String] = []

    @OptionGroup(title: "Instead of ids")
    var conditions: ItemConditions

    @Option(help: ArgumentHelp("The new label.", valueName: "text"))
    var label: String?

    @Option(help: ArgumentHelp("When the items expire: 90d, 2027-03-01, or never.", valueName: "time"))
    var expires: String?

    @Option(help: ArgumentHelp("The new owner; none removes the owner.", valueName: "program"))
    var owner: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Let this program read the items without asking.", valueName: "program")
    )
    var reader: [String] = []

    @Option(
        name: .customLong("no-reader"),
        parsing: .singleValue,
        help: ArgumentHelp("Ask again before this program reads the items.", valueName: "program")
    )
    var formerReader: [String] = []

    func run(_ context: Context) async throws {
        let (change, access) = try changes(now: context.now)
        guard change != nil || access != nil else {
            throw Failure.usage(
                "name a change, such as --reader",
                hint: "hsip item set \(items.first ?? "ID") --reader PROGRAM"
            )
        }
        guard items.isEmpty != conditions.isEmpty else {
            throw Failure.usage("name items, or use --program, --collection or --schema")
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
        // Access is changed last, so that a refused label leaves everything unchanged.
        var views: [ItemView] = []
        for part in stride(from: 0, to: ids.count, by: ItemView.maximum) {
            let some = Array(ids[part..<min(part + ItemView.maximum, ids.count)])
            var changed: [ItemView] = []
            if let change { changed = try await vault(Operations.setItem, some, change) }
            if let access { changed = try await vault(Operations.setItemAccess, some, access) }
            views += changed
        }
        context.output.say(views.count == 1 ? "1 item is changed." : "\(views.count) items are changed.")
        if let access { warn(of: access, context) }
        try context.output.succeed(["items": .list(views.map { .item($0) })])
    }

    /// Warns of programs and scripts that the agent never finds on this machine.
    private func warn(of access: ItemChange, _ context: Context) {
        var named = access.newReaders.map { (option: "--reader", program: $0) }
        if case .program(let owner)? = access.owner { named.append(("--owner", owner)) }
        func shown(_ text: String) -> String {
            context.output.display.cell(text, columns: ProgramIdentity.longest)
        }
        for (option, program) in named {
            let fit = ProgramFit(program)
            guard let complaint = fit.complaint(shown) else { continue }
            let words = items.map { ShellWord.quoted($0) }.joined(separator: " ")
            let real = items.isEmpty ? nil : fit.real
            context.output.warn(
                Warning(
                    "programFitsNothing",
                    "\(option) \(shown(program.text)) has no effect now: \(complaint)",
                    hint: real.map { "hsip item set \(words) \(option) \(ShellWord.quoted($0.text))" }
                )
            )
        }
    }

    /// The changes to the items, and to the programs that may read them without a question.
    private func changes(now: Int64) throws -> (ItemChange?, access: ItemChange?) {
        var change = ItemChange()
        change.label = label
        if let expires {
            switch try SecretTimes.end(expires, "--expires", now: now) {
            case .at(let time): change.expires = time
            case .never: change.expires = 0
            }
        }
        var access = ItemChange()
        access.owner = try owner.map { try ItemWords.newOwner($0) }
        access.newReaders = try reader.map { try ItemWords.newReader($0) }
        access.formerReaders = try formerReader.map { try ItemWords.program($0) }
        let hasAccess = owner != nil || !reader.isEmpty || !formerReader.isEmpty
        return (label != nil || expires != nil ? change : nil, hasAccess ? access : nil)
    }
}

/// Compares a program or script that an item will name with the files of this machine.
///
/// The agent identifies a program by its file's real path.
struct ProgramFit {
    private let program: ProgramIdentity
    private let parts: (tool: String, script: String)?
    private let paths: [String]

    init(_ program: ProgramIdentity) {
        self.program = program
        parts = program.toolAndScript
        paths = parts.map { [$0.tool, $0.script] } ?? (program.isSandboxed ? [] : [program.text])
    }

    /// Why the agent never finds this program; nil if it can.
    ///
    /// `shown` formats a path for people.
    func complaint(_ shown: (String) -> String) -> String? {
        for path in paths {
            guard let real = Path.resolved(path) else { return "there is no file \(shown(path))" }
            guard real == path else {
                return "\(shown(path)) is a link to \(shown(real)), and the agent needs the real path"
            }
        }
        guard parts != nil, let path = paths.first(where: { !SystemPlace.holds($0) }) else { return nil }
        return "not only root can change \(shown(path)), so the agent asks about this script"
    }

    /// The program with its real paths; nil if it already has them, or if a file is missing.
    var real: ProgramIdentity? {
        let real = paths.compactMap(Path.resolved)
        guard real.count == paths.count, real != paths else { return nil }
        return ProgramIdentity(real.joined(separator: " "))
    }
}
