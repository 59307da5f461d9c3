internal import CommandKit
internal import Console
internal import Programs
internal import SafeText
internal import VaultCrypto

extension Context {
    /// How often the last block may be mistyped.
    private static let tries = 3

    /// Gives new secrets to their owner BEFORE anything is made that they open.
    ///
    /// So there is never a vault or a slot whose recovery code is lost: either its last block was typed
    /// back, or the file with it is on the disk. Stopped in between, the program leaves a code for nothing,
    /// which does no harm.
    ///
    /// - Returns: the file that was made for the recovery code, if one was.
    @discardableResult
    func handOver(
        _ passphrase: NewPassphrase?,
        _ recovery: NewRecoveryCode?,
        to file: String?
    ) throws -> MadeFile? {
        let shown = passphrase.flatMap { $0.isMade ? $0 : nil }
        if let shown {
            try show(shown.secret, as: "Passphrase", shown.strength)
        }
        guard let recovery, file == nil else {
            let made = try file.flatMap { try recovery?.write(to: $0) }
            if shown != nil {
                try terminal.pause(
                    "Write it down now; it is not shown again. Enter:",
                    flag: "--passphrase-file"
                )
            }
            return made
        }
        try show(recovery.text, as: "Recovery code", "opens the vault without it")
        let both = shown == nil ? "it down now; it is" : "both down now; they are"
        let advice = LineWrap.lines("Write \(both) not shown again.", to: console.window.columns)
        try terminal.show(Array((advice.joined(separator: "\n") + "\n").utf8), flag: "-o FILE")
        for _ in 0..<Self.tries {
            let block = try terminal.ask("Last block of the recovery code", flag: "-o FILE")
            if recovery.endsWith(block) { return nil }
            output.say("That is not its last block.")
        }
        throw Failure(
            .denied,
            "the recovery code was not confirmed; nothing was made, and what was shown opens nothing"
        )
    }

    private func show(_ secret: Secret, as title: String, _ remark: String) throws {
        let lines = SecretLines(title, remark: remark)
        try terminal.show(try lines.text(secret, columns: console.window.columns), flag: "-o FILE")
    }
}
