internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import System
internal import Text
internal import VaultLifecycle

/// `hsip vault kit`: a new recovery code on one page for paper.
struct KitCommand: Command {
    static let path = "vault kit"
    static let configuration = CommandConfiguration(
        commandName: "kit",
        abstract: "Make a page for paper with a new recovery code.",
        discussion: """
            A vault does not know its recovery code, so a kit brings a new one. The replaced code opens \
            only old backups from then on.

              hsip vault kit -o kit.pdf
              hsip vault kit --print
            """
    )

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write the page to this PDF file (mode 0600); - is stdout.", valueName: "file"),
        completion: .file()
    )
    var file: String?
    @Option(
        help: ArgumentHelp("The slot whose code to replace, if there are several.", valueName: "number")
    )
    var slot: UInt32?
    @OptionGroup var look: KitLook

    func run(_ context: Context) async throws {
        guard let target = KitTarget(file: file, look, option: "-o") else {
            throw Failure.usage("name a file for the kit", hint: "hsip vault kit -o FILE, or --print")
        }
        try target.check(context)
        let opened = try SlotMaking.open(context)
        let old = try replaced(try opened.store.slots(), context)
        let number = try SlotMaking.makeRecovery(
            old.map { .replace($0.number) } ?? .add,
            in: opened,
            label: old?.label,
            file: nil,
            kit: target,
            context
        )
        let made = try SlotGroup.find("\(number)", in: try opened.store.slots())
        if !target.isStream {
            try SlotGroup.show(made, old.map { "replaces slot \($0.number)" } ?? "added", context)
        }
        target.tell(context)
        opened.remember(replaces: old != nil, code: true, kit: true, context)
        try context.output.succeed([
            "slot": .slot(made), "replacedNumber": .optional(old.map { Int64($0.number) }),
            "kitFile": try target.outputFile(),
        ])
    }

    /// The slot that gives way to the new one, after a question; nil where there is none.
    private func replaced(_ slots: [SlotInfo], _ context: Context) throws -> SlotInfo? {
        // Shares are made again, or end, by commands of their own.
        var found = slots.filter { Sharing.isPaper($0) }
        if let slot { found = found.filter { $0.number == slot } }
        guard let first = found.first else {
            if slot != nil { throw StoreError.noSuchSlot }
            return nil
        }
        let old: SlotInfo
        if found.count == 1 {
            old = first
        } else {
            let names = found.map { "slot \($0.number), \(context.output.display.cell($0.label))" }
            let question = "Which recovery code does the new one replace?"
            old = found[try context.terminal.choose(question, among: names, flag: "--slot")]
        }
        let label = context.output.display.cell(old.label)
        guard try context.agrees("Replace the recovery code of slot \(old.number), \(label)?") else {
            throw ConsoleError.refused
        }
        return old
    }
}
