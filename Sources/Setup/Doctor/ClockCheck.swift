internal import Presentation
internal import Text
package import VaultKit

/// Whether this machine's clock agrees with the highest time that the vault has seen.
package struct ClockCheck {
    let vault: any VaultService
    let now: Int64

    package init(vault: any VaultService, now: Int64) { (self.vault, self.now) = (vault, now) }

    package func finding() async throws -> Finding {
        let (mark, isSuspect, delaysWiping) = try await vault.clockMark()
        guard isSuspect || delaysWiping else {
            return .fine(.clock, "the clock agrees with the last time seen")
        }
        guard isSuspect else { return jumped }
        guard Int64(clamping: mark) > now else { return tooLate }
        let behind = Int64(clamping: mark) - now
        return Finding(
            check: .clock,
            state: .problem,
            message: "the clock is \(Durations.rough(behind)) behind the latest time that hsip saw",
            reason: "hsip sends and stores nothing until the clock is right",
            hint: "hsip doctor --fix",
            code: .clockSuspect,
            fix: Finding.Fix(
                question: "Is \(Times.exact(now)) right, and was the time that hsip saw before wrong?",
                needsPerson: true
            ) { _ = try await vault(Operations.setClockBack) }
        )
    }

    /// More than a day passed since the vault saw a time: true after a holiday, and with a wrong clock.
    private var jumped: Finding {
        Finding(
            check: .clock,
            state: .notice,
            message: "the clock went more than a day ahead since the vault was last used",
            reason: "hsip keeps old keys and the trash until a use one day later confirms the time",
            hint: "hsip doctor --fix",
            fix: Finding.Fix(question: "Is \(Times.exact(now)) right?", needsPerson: true) {
                try await vault(Operations.setClockBack)
            }
        )
    }

    private var tooLate: Finding {
        Finding(
            check: .clock,
            state: .problem,
            message: "the clock says \(Times.exact(now)), which is out of range for codes",
            reason: "hsip sends and stores nothing until the clock is right",
            hint: "set the clock of this machine",
            code: .clockSuspect
        )
    }
}
