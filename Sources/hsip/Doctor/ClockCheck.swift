internal import Console
internal import SafeText
internal import VaultKit

/// Whether this machine's clock agrees with the highest time that the vault has seen.
struct ClockCheck {
    let vault: any VaultService
    let now: Int64

    func finding() async throws -> Finding {
        let (mark, isSuspect) = try await vault.clockMark()
        guard isSuspect else { return .fine(.clock, "the clock agrees with the last time seen") }
        let behind = Int64(clamping: mark) - now
        return Finding(
            check: .clock,
            state: .problem,
            message: "the clock is \(Durations.rough(behind)) behind the highest time seen",
            reason: "nothing is stamped or sealed until it is right",
            hint: "hsip doctor --fix",
            code: "clockSuspect",
            exit: ExitCode.expired.rawValue,
            fix: Finding.Fix(
                question: "Is \(Times.exact(now)) right, and the time seen before was wrong?",
                needsPerson: true
            ) { try await vault.setClockBack() }
        )
    }
}
