internal import HSIP
internal import LogCarriers
internal import Presentation
internal import SharedLog
internal import System
internal import Text
internal import VaultKit

/// Accepts a code of another machine of the same person.
struct MachineAcceptance {
    /// The number of attempts, because other machines may write at the same time.
    private static let rounds = 10

    let context: Context
    let vault: any VaultService
    let delivery: CodeDelivery
    /// The digits from `--expect`; nil to ask a person.
    let expected: String?
    /// True if the new machine may only read.
    let isReader: Bool
    /// The login of this machine at the log, for an ADMIT.
    let login: EtcdLoginOptions

    /// The single code for machines in a text; nil if the text has a contact's code, or no code.
    static func theOne(in text: [UInt8]) throws -> MachineCode? {
        do throws(HSIPError) {
            _ = try CodeText.codes(in: text)
            return nil
        } catch {
            guard case .machineCode = error else { return nil }
            return try CodeText.machineCode(in: text)
        }
    }

    /// Accepts a code: a JOIN admits its machine, an ADMIT lets this machine join, a HEAD compares histories.
    func accept(_ code: MachineCode) async throws {
        do {
            try await take(code)
        } catch VaultError.hsip(let error) {
            throw error.explanation(from: "machine")
        }
    }

    private func take(_ code: MachineCode) async throws {
        switch code {
        case .admit: break
        case .join, .head:
            guard login.isGiven else { break }
            throw Failure.usage("--user and --ca work only with the ADMIT code of a log in etcd")
        }
        switch code {
        case .join(let join): try await admit(join)
        case .admit(let admit): try await enter(admit)
        case .head(let head):
            guard expected == nil, !isReader else {
                throw Failure.usage("--expect and --reader do not work with a HEAD code")
            }
            try await SyncHead.compare(head, context, vault)
        }
    }

    // MARK: Another machine joins

    private func admit(_ join: JoinCode) async throws {
        let name = context.output.display.cell(join.name)
        let before = try await vault(Operations.logState)
        guard before?.stage != .asked else {
            throw Failure(
                .noLog,
                "this machine waits to join; accept its code on a machine that shares its vault",
                hint: "hsip setup sync join"
            )
        }
        guard before?.stage == .member else { throw LogError(.noLog) }
        let login = try await LogAccess.login(at: before?.address, of: vault)
        // A sync shows whether another machine has left, or was removed.
        _ = try await SyncRun.run(context, vault, login)
        guard let state = try await vault(Operations.logState) else { throw LogError(.noLog) }
        guard state.machines.first(where: \.isThis)?.role == "keeper" else { throw LogError(.notAllowed) }
        var old = state.machines.first { $0.name == join.name }
        if let known = old, try await isKnown(join) {
            if known.lastChange != nil { return try noteMember(join) }
            context.output.note("\(name) is among the machines already; it gets its ADMIT code again")
            old = nil
        }
        if let old { try agreeToReplace(old) }
        let count = try await SharedCount.of(vault)
        let rights = isReader ? "read" : "read and change"
        let digits = try digits(
            of: name,
            after: [
                "\(name) wants to join. It will \(rights) the shared secrets of this vault: \(count) now."
            ]
        )
        if let old {
            guard try join.number().matches(digits) else { throw LogError(.numberDiffers) }
            try await MachineRemoval(context: context, vault: vault, login: login).remove(old.name)
            context.output.say(
                "Removed the old \(name). It may have kept what it shared: \(count). Change the important ones: hsip secret list"
            )
        }
        do {
            try await add(join, digits, login)
        } catch VaultError.log(let error) where error.reason == .alreadyMember {
            return try noteMember(join)
        }
        let shown = try await vault(Operations.admission, join.bytes)
        let given = try delivery.deliver(text: shown.code)
        defer { given.end() }
        context.output.say("Digits: \(shown.number)")
        context.output.say(
            "On \(name), run hsip accept with this code and type these digits. Valid for 15 minutes."
        )
        try context.output.succeed([
            "code": .text(shown.code), "number": .text(shown.number), "machine": .text(join.name),
        ])
    }

    /// Asks whether a machine replaces another of its name, such as the same host with another vault.
    ///
    /// - Throws: `machineNameTaken` for the name of this machine, and if no person can be asked; `refused`.
    private func agreeToReplace(_ old: MachineSummary) throws {
        let name = context.output.display.cell(old.name)
        guard !old.isThis else {
            throw Failure(
                .machineNameTaken,
                "this machine has the name \(name)",
                hint: "hsip setup sync join --name OTHER  on the machine that joins"
            )
        }
        // A machine that has left has no access to lose.
        guard old.role != "left" else { return }
        guard context.terminal.isAvailable else {
            throw Failure(
                .machineNameTaken,
                "another machine has the name \(name); if it is the same one, remove it first",
                hint: "hsip machine revoke \(ShellWord.quoted(old.name))"
            )
        }
        let question = context.question(
            "Remove the old \(name), and let the new \(name) join?",
            after: ["A machine named \(name) shares this vault already."]
        )
        guard try context.terminal.confirm(question, flag: nil) else { throw ConsoleError.refused }
    }

    /// Adds the machine to the log, and repeats that if another machine wrote first.
    private func add(_ join: JoinCode, _ digits: String, _ login: EtcdCredentials?) async throws {
        for _ in 0..<Self.rounds {
            do {
                let _: Nothing = try await vault(Operations.admitMachine, join.bytes, digits, isReader)
                context.hasChanged = true
            } catch VaultError.log(let error) where error.reason == .logBusy {
                // Changes of this machine must be sent first.
            }
            _ = try await SyncRun.run(context, vault, login)
            if try await isKnown(join) { return }
        }
        throw LogError(.logBusy)
    }

    /// True if the machine of a code is in the log.
    private func isKnown(_ join: JoinCode) async throws -> Bool {
        do {
            _ = try await vault(Operations.admission, join.bytes)
            return true
        } catch VaultError.log(let error) where error.reason == .unknownMachine {
            return false
        }
    }

    private func noteMember(_ join: JoinCode) throws {
        let name = context.output.display.cell(join.name)
        context.output.note("\(name) shares this vault already; nothing changes")
        try context.output.succeed(["code": nil, "number": nil, "machine": .text(join.name)])
    }

    // MARK: This machine joins

    private func enter(_ admit: AdmitCode) async throws {
        guard !isReader else {
            throw Failure.usage("--reader works only with the JOIN code of another machine")
        }
        guard let state = try await vault(Operations.logState) else {
            throw Failure(.noLog, "this machine has shown no JOIN code", hint: "hsip setup sync join")
        }
        // An earlier run may have been interrupted before the first sync.
        if state.stage == .admitted { return try await begin(state) }
        if state.stage == .member, state.log == admit.logID {
            throw Failure(
                .logExists,
                "this machine is in that shared log already; a sync does what is left",
                hint: "hsip sync"
            )
        }
        guard state.stage != .removed else { throw LogError(.machineRevoked) }
        guard state.stage == .asked else { throw LogError(.logExists) }
        let count = try await SharedCount.of(vault)
        let digits = try digits(
            of: "the other machine",
            after: [
                "This vault will share \(count) with the other machines, and receive their secrets.",
                "Contacts, messages and sessions stay on each machine.",
            ]
        )
        let entered = try await vault(Operations.enterLog, admit.bytes, digits)
        context.hasChanged = true
        try await begin(entered)
    }

    /// Reads the log for the first time.
    private func begin(_ state: LogSummary) async throws {
        let credentials: EtcdCredentials?
        do {
            credentials = try await logIn(at: state.address)
        } catch {
            context.output.note("this machine has joined, and cannot log in yet; say hsip accept again")
            throw error
        }
        let result: SyncResult
        do {
            result = try await SyncRun.run(context, vault, credentials)
        } catch {
            context.output.note("this machine has joined; hsip sync receives the shared secrets")
            throw error
        }
        result.tell(context.output)
        try context.output.succeed(result.json)
    }

    /// Stores the login of a log in etcd, once it works.
    private func logIn(at place: LogAddress?) async throws -> EtcdCredentials? {
        guard let place, place.isEtcd else {
            guard !login.isGiven else {
                throw Failure.usage("--user and --ca work only with the ADMIT code of a log in etcd")
            }
            return nil
        }
        let address = try context.address(.etcd, place.text)
        let made = try await login.login(at: address, context, vault)
        let credentials = try made.credentials(for: place)
        _ = try context.reach(address, mirror: "/", credentials, again: "hsip accept") {
            try address.logs($0)
        }
        let _: Nothing = try await vault(Operations.setLogin, made)
        return credentials
    }

    /// The digits that the other machine shows, from `--expect` or from a person, who has one try.
    private func digits(of machine: String, after lines: [String]) throws -> String {
        if let expected {
            for line in lines { context.output.say(line) }
            return expected
        }
        let question = context.question("Type the twelve digits that \(machine) shows", after: lines)
        let typed = try context.terminal.ask(question, flag: "--expect DIGITS", flushesTypeAhead: true)
        guard !typed.isEmpty else { throw ConsoleError.refused }
        return typed
    }
}
