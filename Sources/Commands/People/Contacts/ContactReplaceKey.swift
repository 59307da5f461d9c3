internal import ArgumentParser
internal import HSIP
internal import Presentation
internal import System
internal import Text
internal import VaultKit

/// `hsip contact replace-key NAME`.
struct ContactReplaceKey: Command {
    static let path = "contact replace-key"
    static let configuration = CommandConfiguration(
        commandName: "replace-key",
        abstract: "Replace the key of a contact who has a new one.",
        discussion: """
            Accepts the offer or answer that the contact made with the new key. At a terminal you type \
            groups of the new safety number as the contact reads them aloud; no option answers that. Trust \
            then starts over, and the old sessions end. --expect only compares a number, because a number \
            that was sent to you may come from someone in between.

              hsip contact replace-key bob new-offer.txt
              hsip contact replace-key bob new-offer.txt --expect "38961 10715 …"
            """
    )

    @Argument(help: "The contact.", completion: .contacts)
    var name: String

    @Argument(
        help: "The new offer or answer: a code, a file, a picture, or - for stdin.",
        completion: .file()
    )
    var code: String?

    @Option(
        help: ArgumentHelp(
            "Only compare this safety number; change nothing.",
            valueName: "number"
        )
    )
    var expect: String?

    @Flag(help: "Read the code with the camera.")
    var camera = false

    @Flag(help: "Read the code from the clipboard.")
    var paste = false

    func run(_ context: Context) async throws {
        let intake = CodeIntake(context: context)
        let vault = try await context.openVault()
        let before = try await ContactNames(context, vault).resolve(name, exactly: true)
        let alias = before.alias
        let text = try intake.read(code, fromCamera: camera, fromClipboard: paste)
        try await context.explaining(vault, about: alias) {
            let code = try await intake.codes(in: text, vault).found.single().code
            let number = try await vault(Operations.safetyNumber, code)
            let shown = context.output.display.cell(alias)
            var now = before
            if let expect {
                try SafetyNumber.check(expect, isThatOf: number)
                context.output.say(
                    "It is the number of this key. Nothing is changed: a key is replaced at a terminal, "
                        + "hsip contact replace-key \(ShellWord.quoted(alias))"
                )
            } else {
                try ask(for: number, of: shown, context)
                let reply = try await vault(Operations.trustNewKey, alias, code, number.text)
                context.output.tell(reply.notices, about: alias)
                now = try await vault(Operations.contact, alias)
                context.output.say("\(shown) has the key of this code now; trust starts over.")
                context.output.hint("hsip accept  accepts the same code")
            }
            let isReplaced = expect == nil
            try context.output.succeed([
                "contact": .text(now.alias), "replaced": .bool(isReplaced),
                "oldPeerId": .text(before.contact.peerID.text),
                "newPeerId": isReplaced ? .text(now.contact.peerID.text) : .null,
                "safetyNumber": .text(number.text), "trust": .text(now.contact.trust.name),
                "endedPairings": .integer(isReplaced ? before.sessions.count : 0),
            ])
        }
    }

    /// Asks for the number that the contact reads aloud; hsip never shows it first, so that only heard digits count.
    private func ask(for number: SafetyNumber, of shown: String, _ context: Context) throws {
        guard context.terminal.isAvailable else {
            throw Failure(
                .inputNeeded,
                "hsip replaces a key only at a terminal, where you type what its owner reads aloud",
                hint: "--expect NUMBER  only compares"
            )
        }
        let groups = number.text.split(separator: " ").map { String($0) }
        let question = HeardParts(context: context, parts: groups, what: "groups")
        guard try question.areHeard("Let \(shown) read the new safety number aloud.") else {
            throw ConsoleError.refused
        }
    }
}
