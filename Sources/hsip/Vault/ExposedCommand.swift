internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import Setup
internal import System
internal import Text
internal import VaultKit
internal import VaultLifecycle

/// `hsip vault exposed`.
struct ExposedCommand: Command {
    static let path = "vault exposed"
    static let configuration = CommandConfiguration(
        commandName: "exposed",
        abstract: "List the secrets that an older copy still exposes.",
        discussion: """
            The list names identity, sessions, offers, SSH keys, passwords and one-time keys that you have \
            not replaced since, and gets shorter as you replace them. A new vault key does not protect a \
            lost copy. hsip compares values and never shows them; it does not list other fields.

              hsip vault exposed --since 2026-11-20
              hsip vault exposed --since 3d
              hsip vault exposed --backup /media/stick/hsip.backup
            """
    )

    @Option(
        help: ArgumentHelp(
            "Date, time or age of the copy (2026-11-20, 3d).",
            valueName: "date"
        )
    )
    var since: String?

    @Option(help: ArgumentHelp("The file of the copy.", valueName: "file"), completion: .file())
    var backup: String?

    func run(_ context: Context) async throws {
        let copy: OlderCopy
        switch (since, backup) {
        case (let since?, nil): copy = OlderCopy(time: try Self.moment(since, now: context.now))
        case (nil, let backup?): copy = try await Self.copy(backup, context)
        default:
            throw Failure.usage(
                "either --since DATE or --backup FILE",
                hint: "hsip vault exposed --since 3d"
            )
        }
        let vault = try await context.openVault()
        let items = try await copy.exposed(in: vault)
        let display = context.output.display
        var table = Table([
            Column("what", .left, .whole), Column("name"), Column("user", spare: 2), Column("url", spare: 3),
            Column("since", .left, .whole, spare: 4), Column("renewed by", spare: 1),
        ])
        for item in items {
            table.add([
                Cell(item.kind.text, value: item.kind.rawValue), Cell(own: item.name, display),
                Cell(own: item.user ?? "", display), Cell(own: item.url ?? "", display),
                Cell(item.since.map { Times.date(Int64(clamping: $0)) } ?? ""),
                Cell(own: item.renewal, display),
            ])
        }
        try context.output.table(table)
        try await context.tellDamage(vault)
        if items.isEmpty { context.output.note("that copy exposes nothing that is still in use") }
        try context.output.succeed([
            "asOf": .time(Int64(clamping: copy.time)),
            "items": .list(
                items.map { item in
                    [
                        "kind": .text(item.kind.rawValue), "name": .text(item.name),
                        "user": .optional(item.user), "url": .optional(item.url),
                        "since": .time(item.since.map { Int64(clamping: $0) }),
                        "renewal": .text(item.renewal),
                    ]
                }
            ),
        ])
    }

    /// The end of a day, a moment, or a span before now.
    private static func moment(_ text: String, now: Int64) throws(Failure) -> UInt64 {
        // A day of 25 hours ends then, too.
        let moment = Times.day(text).map { $0 + 25 * 3_600 } ?? Times.parse(text)
        guard let found = moment ?? Durations.parse(text).map({ now - $0 }), found >= 0 else {
            throw Failure.usage(
                "--since needs a date, a time or an age",
                hint: "hsip vault exposed --since 2026-11-20"
            )
        }
        return UInt64(min(found, now))
    }

    /// A copy that is here, opened by what opened it when it was made.
    private static func copy(_ file: String, _ context: Context) async throws -> OlderCopy {
        let found = try context.find(try context.place())
        let store = try context.openOldCopy(file)
        let id: [UInt8]
        switch found {
        case .file(let overview): id = overview.vaultID
        case .keyring(let record):
            id = record.id
            // What was named opens the copy, and the keyring opens the vault.
            (context.globals.passphraseFile, context.globals.passphraseDescriptor) = (nil, nil)
        }
        guard store.vaultID == id else {
            throw Failure.usage(
                "the file is a copy of another vault",
                hint: "hsip vault exposed --since 3d"
            )
        }
        let newest = try store.store.read { reader throws(StoreError) in
            try reader.list(nil).map(\.modified).max() ?? 0
        }
        return try await OlderCopy(time: newest / 1_000, Vault(store: store.store).ownService)
    }
}

extension ExposedItem.Kind {
    /// What people call it.
    fileprivate var text: String {
        switch self {
        case .identity: "identity"
        case .session: "session"
        case .offer: "offer"
        case .sshKey: "SSH key"
        case .secret: "secret"
        case .oneTimeKey: "one-time key"
        }
    }
}

extension ExposedItem {
    /// What ends it.
    fileprivate var renewal: String {
        switch kind {
        case .identity: "hsip identity renew"
        case .session: "hsip session rotate \(ShellWord.quoted(name))"
        case .offer: "hsip pair --close-all"
        case .sshKey: "hsip ssh key rotate \(ShellWord.quoted(name))"
        case .secret: "make a new one where it is used, then hsip secret set \(ShellWord.quoted(name))"
        case .oneTimeKey: "make a new one at the service, then hsip secret edit \(ShellWord.quoted(name))"
        }
    }
}
