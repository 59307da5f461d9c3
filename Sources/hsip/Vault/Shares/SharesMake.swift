internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import System
internal import VaultKit
internal import VaultLifecycle

extension SharesGroup {
    /// A new recovery secret, in shares for people to hold.
    struct Make: Command {
        static let path = "vault shares make"
        static let configuration = CommandConfiguration(
            abstract: "Make shares of a new recovery secret for several people.",
            discussion: """
                Together, --threshold people with a copy of the vault file can open it; fewer learn \
                nothing. Give each person one share of twenty words, on paper. You cannot take a share \
                back. hsip does not show the words again.

                  hsip vault shares make --threshold 3 --shares 5 --print
                  hsip vault shares make --threshold 2 --to bob --to carol --to dave
                  hsip vault restore BACKUP --shares
                """
        )

        @Option(help: "How many shares open the vault: 2 or more.")
        var threshold: Int
        @Option(help: "How many shares to make, up to 16; with --to one for each contact.")
        var shares: Int?
        @Option(
            name: .customLong("to"),
            help: ArgumentHelp("Send a share to this contact; may be repeated.", valueName: "contact"),
            completion: .contacts
        )
        var contacts: [String] = []
        @Flag(help: "Show each share, for you to write on a sheet of its own.")
        var print = false
        @Option(
            name: [.customShort("o"), .customLong("output")],
            help: ArgumentHelp(
                "Write the shares to FILE-1, FILE-2 and so on (mode 0600).",
                valueName: "file"
            ),
            completion: .file()
        )
        var file: String?

        mutating func validate() throws { file = NewFile.named(file) }

        func run(_ context: Context) async throws {
            guard contacts.isEmpty || shares ?? contacts.count == contacts.count else {
                throw Failure.usage("--to names as many contacts as there are shares")
            }
            guard let sharing = Sharing(threshold: threshold, of: shares ?? contacts.count) else {
                throw Failure.usage(
                    "--shares needs 2 to 16, and --threshold 2 up to the number of shares",
                    hint: "hsip vault shares make --threshold 3 --shares 5 --print"
                )
            }
            guard [print, file != nil, !contacts.isEmpty].count(where: { $0 }) < 2 else {
                throw Failure.usage("--print, -o and --to exclude each other")
            }
            guard file != nil || !contacts.isEmpty || print && context.terminal.isAvailable else {
                throw ConsoleError.inputNeeded(flag: print ? "-o FILE" : "--print, --to CONTACT or -o FILE")
            }
            let files = try file.map { try check(NewShares.files($0, sharing)) }
            let opened = try SlotMaking.open(context)
            let store = opened.store
            try refuseTooMany(try store.slots())
            let vault = contacts.isEmpty ? nil : try context.vault(over: store).ownService
            let holders = try await ShareHolders(contacts, vault)
            try noteWhatComesFirst(opened, context)
            try ask(sharing, context)
            let new = try await holders.make(sharing)
            let made = try files.map { try new.write(to: $0, context) } ?? []
            let sent = try await holders.send(new)
            if print { try new.show(context) }
            let number = try await add(new, made, holders, opened, context)
            let found = try SlotGroup.find("\(number)", in: try store.slots())
            context.output.note(
                sent.isEmpty
                    ? "hsip does not show the shares again: give each person one, and keep none"
                    : "send each contact the line that is for them; they run hsip accept"
            )
            context.output.hint("hsip vault slot test recovery --shares  with so many of the people")
            try SlotGroup.show(found, "added", context)
            try holders.show(sent, context)
            try context.output.succeed([
                "sharing": .sharing(new.sharing, found, await holders.held(new)),
                "parcels": sent.isEmpty ? .null : .list(try sent.map { try ShareHolders.json($0) }),
                "outputFiles": files.map { .list($0.map { .text($0) }) } ?? .null,
            ])
        }

        /// Adds the slot that the shares open; without it nothing of them stays.
        private func add(
            _ new: NewShares,
            _ made: [MadeFile],
            _ holders: ShareHolders,
            _ opened: SlotMaking.Opened,
            _ context: Context
        ) async throws -> UInt32 {
            let slot = NewSlot(.recovery(new.secret), label: new.sharing.label)
            var opensNothing = false
            do {
                return try KeySlots(of: opened.store, opened.secret, showing: context).write(slot, .add) {
                    opensNothing = true
                }
            } catch {
                if opensNothing {
                    made.forEach { $0.remove() }
                    await holders.takeBack(new)
                }
                throw error
            }
        }

        /// Shares are the last resort: a code on paper and a backup are the ones before it.
        private func noteWhatComesFirst(_ opened: SlotMaking.Opened, _ context: Context) throws {
            if try !opened.store.slots().contains(where: Sharing.isPaper) {
                context.output.note(
                    "this vault has no recovery code on paper, which would work without other people"
                )
                context.output.hint("hsip vault slot add recovery --kit FILE")
            }
            if BackupMemory(opened.place, opened.store.vaultID).entries.isEmpty {
                context.output.note(
                    "this machine knows of no backup: without a copy of the file shares open nothing"
                )
                context.output.hint("hsip vault backup --to DIR")
            }
        }

        /// Paths of files that are not there yet.
        private func check(_ files: [String]) throws -> [String] {
            try files.map { file in
                guard !Path.exists(file) else {
                    throw NewFile.taken(file, "-o")
                }
                try NewFile.check(file, replaces: false)
                return try AbsolutePath.of(file)
            }
        }

        /// Before anything is shown that would then open nothing.
        private func refuseTooMany(_ slots: [SlotInfo]) throws {
            guard slots.count < Keyslots.maximum,
                slots.count(where: { $0.kind == .recovery }) < Keyslots.maximumOfAKind
            else { throw StoreError.slotLimit }
        }

        private func ask(_ sharing: Sharing, _ context: Context) throws {
            let question = context.question(
                "Make \(sharing.count) shares?",
                after: [
                    "Any \(sharing.threshold) of the \(sharing.count) people open the vault without you, if they have "
                        + "a copy of it.",
                    "A share cannot be taken back. Someone who claims to be you may ask for it.",
                ]
            )
            guard try context.agrees(question) else { throw ConsoleError.refused }
        }
    }
}
