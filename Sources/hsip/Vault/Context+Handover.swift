internal import Commands
internal import Presentation
internal import System
internal import Text
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
    /// A kit that is printed or goes to a pipe proves nothing either, nor does a device in the place of a file: the
    /// last block is asked for, from the paper, where a person can be asked. Where nobody can be, such a code can only
    /// be one more.
    ///
    /// - Parameters:
    ///   - passphrase: Shown where it was made here.
    ///   - recovery: The code.
    ///   - file: Where the code goes instead of the terminal.
    ///   - kit: The page with the code, and where it goes.
    ///   - isOnlyOne: Whether no other recovery code stays.
    ///   - remark: The use of the code, beside its title.
    /// - Returns: the files that were made, if some were.
    /// - Throws: `denied` where the last block was not typed; `inputNeeded` where nobody could type that of the only
    ///   code; what writing and printing throws. Files that were made are gone then.
    @discardableResult
    func handOver(
        _ passphrase: NewPassphrase?,
        _ recovery: NewRecoveryCode?,
        to file: String?,
        kit: (page: EmergencyKit, target: KitTarget)? = nil,
        isOnlyOne: Bool = true,
        remark: String = "opens the vault without it"
    ) throws -> HandedOver? {
        let shown = passphrase.flatMap { $0.isMade ? $0 : nil }
        if let shown {
            try show(shown.secret, as: "Passphrase", shown.strength)
        }
        guard let recovery, file != nil || kit != nil else {
            guard let recovery else {
                if shown != nil { try pause() }
                return nil
            }
            try show(recovery.text, as: "Recovery code", remark)
            let both = shown == nil ? "it down now; it is" : "both down now; they are"
            let advice = LineWrap.lines("Write \(both) not shown again.", to: console.window.columns)
            try terminal.show(Array((advice.joined(separator: "\n") + "\n").utf8), flag: "-o FILE")
            try confirm(recovery)
            return nil
        }
        if isOnlyOne, file == nil, kit?.target.path == nil, !terminal.isAvailable {
            // What a printer or another program makes of the page is not known here.
            throw ConsoleError.inputNeeded(flag: "-o FILE")
        }
        var made = HandedOver()
        do {
            if let file { made.add(try recovery.write(to: file)) }
            if let kit { made.add(try kit.target.deliver(Secret(try kit.page.file(recovery.text)), self)) }
            if made.isEmpty, terminal.isAvailable {
                try confirm(recovery)
            } else if made.isEmpty, isOnlyOne {
                throw ConsoleError.inputNeeded(flag: "-o FILE")
            } else if shown != nil {
                try pause()
            }
        } catch {
            made.remove()
            throw error
        }
        return made
    }

    private func pause() throws {
        try terminal.pause("Write it down now; it is not shown again. Enter:", flag: "--passphrase-file")
    }

    /// Asks for the last block of a code that was shown or printed.
    private func confirm(_ recovery: NewRecoveryCode) throws {
        for _ in 0..<Self.tries {
            let block = try terminal.ask("Last block of the recovery code", flag: "-o FILE")
            if recovery.endsWith(block) { return }
            output.say("The last block is the four characters after the last dash of the recovery code.")
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

/// The files that new secrets were written to.
struct HandedOver {
    private var files: [MadeFile] = []

    /// Nothing is on the disk.
    var isEmpty: Bool { files.isEmpty }

    mutating func add(_ file: MadeFile?) { files += file.map { [$0] } ?? [] }

    /// Takes them away again: nothing was made that they open.
    func remove() {
        for file in files { file.remove() }
    }
}
