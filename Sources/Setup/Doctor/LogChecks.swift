internal import Presentation
package import VaultKit

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
