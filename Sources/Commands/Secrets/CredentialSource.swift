internal import Presentation
internal import Secrets
internal import System
internal import Text
internal import VaultCrypto
internal import VaultKit

/// The source of a secret's value: a file, stdin, or a person who types it twice.
struct CredentialSource {
    let file: String?
    let isExact: Bool
    let context: Context

    /// Reads the value, or asks for it.
    ///
    /// - Throws: `denied` for an empty value, unless `isExact`; `entriesDiffer`; `inputNeeded` without a user to ask.
    func value(of name: String, field: String?, kind: CredentialKind, isNew: Bool) throws -> Secret {
        if file == nil, context.console.inputIsTerminal {
            return try typed(
                name,
                field ?? kind.mainField,
                isText: kind == .note && field == nil,
                isNew: isNew
            )
        }
        let value = try read()
        guard value.count > 0 || isExact else { throw Self.empty }
        return value
    }

    /// The value that a script gives on stdin; nil at a terminal, and if stdin is empty.
    func piped() throws -> Secret? {
        if context.console.inputIsTerminal { return nil }
        let value = try read()
        return value.count > 0 ? value : nil
    }

    private func read() throws -> Secret {
        let limit = CredentialField.longestValue
        do throws(ProgramError) {
            let text = try OwnFile.readSecret(file ?? "-", limit: limit)
            return isExact ? Secret(text) : try text.withoutLastLineFeed()
        } catch {
            guard case .tooLarge = error else { throw error }
            throw VaultError.secret(.valueTooLong(limit: limit))
        }
    }

    private func typed(_ name: String, _ field: String, isText: Bool, isNew: Bool) throws -> Secret {
        let what = "\(isNew ? "" : "New ")\(field) of \(context.output.display.name(name))"
        let question = what.prefix(1).uppercased() + what.dropFirst()
        let typed = try ask(question, isText: isText)
        guard typed.count > 0 else { throw Self.empty }
        let strength = ChosenPassword.strength(of: typed)
        if field == CredentialField.password, strength.bits < Passphrase.leastBits {
            context.output.say(
                "This password is easy to guess: \(strength.text). Make a better one: hsip secret generate "
                    + ShellWord.quoted(name)
            )
        }
        return typed
    }

    private func ask(_ question: String, isText: Bool) throws -> Secret {
        let flag = "--from-file or stdin"
        guard isText else {
            return Secret(try context.newSecret(question, flag: flag))
        }
        let text = Secret(
            try context.terminal.askHiddenText("\(question), hidden; Ctrl-D ends it", flag: flag)
        )
        // The line feed that ends the last line is not part of the text.
        let endsLine = text.count > 0 && text.withBytes { $0.byte(at: $0.byteCount - 1) == 0x0A }
        return endsLine ? try text.part(0..<text.count - 1) : text
    }

    private static let empty = Failure(
        .denied,
        "the value is empty; nothing was saved",
        hint: "--exact  saves an empty value"
    )
}
