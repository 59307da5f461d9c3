internal import System
package import VaultCrypto

/// Asks with pinentry, GnuPG's small program for prompts on the desktop.
///
/// It also asks for a passphrase at a terminal if there is no display.
///
/// If possible it grabs the keyboard, so that no other window can read along. It stores no passphrase.
package struct PinentryPrompter: Prompter {
    /// The seconds that a person has for an answer.
    package static let patience = 120
    /// The extra seconds for a pinentry that ignores its own timeout.
    private static let margin = 5

    /// The numbers in libgpg-error for the ways in which a person ends a prompt.
    private enum Code {
        static let timeout: UInt32 = 62
        static let canceled: UInt32 = 99
        static let notConfirmed: UInt32 = 114
    }

    private let place: PromptPlace
    private let program: String?
    private let terminal: String?
    private let seconds: Int

    /// Creates a prompter for the display of a place, or its terminal.
    ///
    /// - Parameters:
    /// - place: the place of the prompt.
    /// - program: the path; nil for the program in the agent's own path.
    /// - terminal: the device to ask at in any case; nil for the terminal of the place, if it has no display.
    /// - seconds: the time for one answer.
    package init(
        place: PromptPlace,
        program: String? = nil,
        terminal: String? = nil,
        seconds: Int = patience
    ) {
        self.place = place
        self.program = program
        self.terminal = terminal
        self.seconds = seconds
    }

    package func passphrase(
        _ question: PassphraseQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Secret {
        try talk(cancellation) { session throws(PromptError) in
            // The label beside the field must be short.
            let isPIN = question.kind == .pin
            try ask(session, question.lines + (isPIN ? [question.title] : []), title: "")
            _ = try session.command("SETPROMPT", (isPIN ? "PIN" : question.title) + ":")
            if question.attempt > 1 {
                let text = "That \(question.kind.rawValue) was wrong. Please try again."
                _ = try session.command("SETERROR", text)
            }
            let (reply, secret) = try session.secret("GETPIN")
            guard case .ok = reply else { throw error(of: reply) }
            guard let secret else { throw .empty }
            return secret
        }
    }

    package func touch(_ question: PassphraseQuestion, _ cancellation: Cancellation) throws(PromptError) {
        // At a terminal the person would not notice the end of the prompt.
        guard place.hasDisplay else { throw .nobody }
        try talk(cancellation) { session throws(PromptError) in
            try ask(session, question.lines + [question.title], title: "")
            guard question.kind == .touch else {
                _ = try session.command("SETOK", "Cancel")
                let reply = try session.command("CONFIRM", "--one-button")
                throw reply == .ok ? .refused : error(of: reply)
            }
            _ = try session.command("SETOK", "Passphrase instead")
            _ = try session.command("SETCANCEL", "Cancel")
            let (reply, _) = try session.secret("CONFIRM")
            guard case .ok = reply else { throw error(of: reply) }
        }
    }

    package func confirm(
        _ question: ConfirmQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Confirmation {
        // At a terminal the agent asks by itself.
        guard place.hasDisplay else { throw .nobody }
        return try talk(cancellation) { session throws(PromptError) in
            try ask(session, question.lines + question.howToAllow, title: question.title)
            _ = try session.command("SETPROMPT", "Answer:")
            _ = try session.command("SETOK", "Answer")
            _ = try session.command("SETCANCEL", "Deny")
            let (reply, typed) = try session.secret("GETPIN")
            switch reply {
            // A person who types the passphrase by mistake has refused, and the passphrase is wiped here.
            case .ok:
                guard let typed, typed.count <= ConfirmQuestion.longestAnswer else { return .deny }
                return question.answer(String(decoding: typed.withBytes { $0.copied() }, as: UTF8.self))
            case .error(Code.canceled), .error(Code.notConfirmed): return .deny
            case let reply: throw error(of: reply)
            }
        }
    }

    /// Runs a conversation; afterwards the program has ended, and its terminal is restored.
    private func talk<R>(
        _ cancellation: Cancellation,
        _ body: (AssuanSession) throws(PromptError) -> R
    ) throws(PromptError) -> R {
        let seat = terminal == nil && !place.hasDisplay ? place.terminal : nil
        let device = terminal ?? seat?.path
        guard device != nil || place.hasDisplay, let path = program ?? place.pinentry else { throw .nobody }
        guard let seat else { return try body(try open(path, device, cancellation)) }
        guard let kept = TerminalGuard(seat) else { throw .nobody }
        defer { kept.restore() }
        return try body(try open(path, device, cancellation))
    }

    private func open(
        _ path: String,
        _ terminal: String?,
        _ cancellation: Cancellation
    ) throws(PromptError) -> AssuanSession {
        let process = try PromptProcess(
            path,
            ["--timeout", "\(seconds)"],
            terminal == nil
                ? place.variables()
                : place.variables(["TERM": place.terminalType], isTerminal: true),
            seconds: seconds + Self.margin,
            cancellation
        )
        let session = try AssuanSession(process)
        var options = ["grab", "lc-ctype=\(language)", "lc-messages=\(language)"]
        if let terminal { options += ["ttyname=\(terminal)", "ttytype=\(place.terminalType)"] }
        // A pinentry may not support an option or a title, but it must support the prompt itself.
        for option in options { _ = try session.command("OPTION", option) }
        _ = try session.command("SETTIMEOUT", "\(seconds)")
        _ = try session.command("SETTITLE", "HSIP Vault")
        return session
    }

    private var language: String {
        place["LC_ALL"] ?? place["LC_CTYPE"] ?? place["LANG"] ?? "C.UTF-8"
    }

    /// Sets the text of a prompt; a text that cannot be shown must not be answered.
    private func ask(_ session: AssuanSession, _ lines: [String], title: String) throws(PromptError) {
        // Some pinentries interpret angle brackets as markup.
        let text = ([title] + lines).filter { !$0.isEmpty }.joined(separator: "\n")
            .replacing("<", with: "‹").replacing(">", with: "›")
        guard try session.command("SETDESC", text) == .ok else { throw .malformed }
    }

    private func error(of reply: AssuanSession.Reply) -> PromptError {
        switch reply {
        case .error(Code.timeout): .timedOut(seconds: seconds)
        case .error(Code.canceled), .error(Code.notConfirmed): .refused
        // Without terminal and display, this prompter reaches nobody.
        default: .nobody
        }
    }
}
