internal import CLinux
internal import Glibc
package import Presentation
package import System
package import VaultKit

/// The machine around the program: memory, helper programs, the terminal.
package struct MachineChecks {
    /// The widest and tallest code, an ANSWER, with a few lines around it.
    private static let window = WindowSize(columns: 57, rows: 32)
    /// Enough locked memory for every secret at once.
    private static let leastLocked: UInt64 = 64 << 10

    let environment: Environment
    let console: ConsoleEnvironment

    package init(environment: Environment, console: ConsoleEnvironment) {
        (self.environment, self.console) = (environment, console)
    }

    package func findings() -> [Finding] {
        [memory()] + helpers() + terminal()
    }

    private func memory() -> Finding {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0,
            limit.rlim_cur < Self.leastLocked
        else { return .fine(.memory, "hsip can keep secrets out of swap; core dumps are off") }
        return Finding(
            check: .memory,
            state: .warning,
            message: "hsip can lock only \(limit.rlim_cur >> 10) KiB of memory",
            reason: "the system may write a secret to swap",
            hint: "ulimit -l"
        )
    }

    private func helpers() -> [Finding] {
        var wanted: [(HelperProgram, String)] = [(.zbarimg, "hsip cannot read QR codes in pictures")]
        if environment["WAYLAND_DISPLAY"] != nil {
            wanted += [
                (.zbarcam, "hsip cannot use the camera"), (.wlCopy, "hsip cannot copy to the clipboard"),
            ]
        } else if environment["DISPLAY"] != nil {
            wanted += [
                (.zbarcam, "hsip cannot use the camera"), (.xclip, "hsip cannot copy to the clipboard"),
            ]
        }
        let missing = wanted.filter { ChildProcess.find($0.0.executable, in: environment) == nil }
        guard !missing.isEmpty else { return [.fine(.helpers, "the helper programs are installed")] }
        return missing.map { program, reason in
            Finding(
                check: .helpers,
                state: .notice,
                message: "\(program.executable) is not installed",
                reason: reason,
                hint: "apt install \(program.package)"
            )
        }
    }

    private func terminal() -> [Finding] {
        guard console.outputIsTerminal else { return [] }
        var found: [Finding] = []
        if !console.isUTF8 {
            found.append(
                Finding(
                    check: .terminal,
                    state: .notice,
                    message: "the locale is not UTF-8",
                    reason: "hsip shows names in ASCII and writes QR codes to files",
                    hint: "export LC_CTYPE=C.UTF-8"
                )
            )
        }
        if !console.window.holds(Self.window) {
            found.append(
                Finding(
                    check: .terminal,
                    state: .notice,
                    message: "the window is \(console.window); QR codes need \(Self.window)",
                    reason: "a code that does not fit cannot be scanned",
                    hint: "enlarge it, or --qr png"
                )
            )
        }
        return found.isEmpty ? [.fine(.terminal, "the window is large enough for every code")] : found
    }
}

/// What is left to do about the machines that share the vault.
package enum LogChecks {
    /// Nothing for a vault that is not shared.
    ///
    /// - Parameter vault: The open vault.
    /// - Returns: what was found.
    package static func findings(_ vault: any VaultService) async -> [Finding] {
        let state: LogSummary
        do {
            guard let found = try await vault(Operations.logState) else { return [] }
            state = found
        } catch {
            return [.problem(.machines, Failure(error))]
        }
        let found = left(state)
        return found.isEmpty ? [.fine(.machines, "nothing is left to do about the shared log")] : found
    }

    /// What is left to do about a log.
    ///
    /// - Parameter state: What the vault says of it.
    /// - Returns: what was found; nothing if all is well.
    package static func left(_ state: LogSummary) -> [Finding] {
        var found: [Finding] = []
        func add(_ level: Finding.State, _ message: String, _ hint: String) {
            found.append(Finding(check: .machines, state: level, message: message, hint: hint))
        }
        switch state.stage {
        case .asked: add(.notice, "this machine waits for an ADMIT code", "hsip accept")
        case .admitted: add(.notice, "this machine has joined, and has received nothing yet", "hsip sync")
        case .removed:
            add(
                .warning,
                "this machine was removed, or has left: it sends and receives nothing",
                "hsip setup sync join"
            )
        case .member: break
        }
        if state.isRestored, state.stage == .member {
            add(
                .warning,
                "this vault was restored, and may not know its newest machines and changes",
                "hsip sync"
            )
        }
        if state.conflicts > 0 {
            let what = state.conflicts == 1 ? "1 conflict" : "\(state.conflicts) conflicts"
            add(.notice, "\(what) between your machines to settle", "hsip sync conflicts")
        }
        if state.isWaiting {
            add(.notice, "a change waits to be sent to your other machines", "hsip sync")
        }
        if state.kept > 0 {
            let records = state.kept == 1 ? "1 shared record" : "\(state.kept) shared records"
            add(.notice, "a newer hsip is needed for \(records)", "hsip version")
        }
        return found
    }
}
