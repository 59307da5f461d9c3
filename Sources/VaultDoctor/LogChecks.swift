internal import Console
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
            return [.problem(.machines, Failures.explain(error))]
        }
        var found: [Finding] = []
        if state.stage == .removed {
            found.append(
                Finding(
                    check: .machines,
                    state: .warning,
                    message: "this machine was removed, or has left: it sends and receives nothing",
                    hint: "hsip setup sync join"
                )
            )
        }
        if state.conflicts > 0 {
            let what = state.conflicts == 1 ? "1 conflict" : "\(state.conflicts) conflicts"
            found.append(
                Finding(
                    check: .machines,
                    state: .notice,
                    message: "\(what) between your machines to settle",
                    hint: "hsip sync conflicts"
                )
            )
        }
        if state.isWaiting {
            found.append(
                Finding(
                    check: .machines,
                    state: .notice,
                    message: "a change waits to be sent to your other machines",
                    hint: "hsip sync"
                )
            )
        }
        return found.isEmpty ? [.fine(.machines, "nothing is left to do about the shared log")] : found
    }
}
