internal import AgentKit
internal import AgentProtocol

/// What the status says beyond open or locked: what makes the agent lock, and how it is guarded.
struct StatusFacts: Sendable {
    private let hardening: Hardening
    private let hooks: SleepHooks
    private let timer: LockTimer
    private let ring: KeyRing
    private let control: String
    private let ssh: String

    init(
        _ hardening: Hardening,
        _ hooks: SleepHooks,
        _ timer: LockTimer,
        _ ring: KeyRing,
        _ control: String,
        _ ssh: String
    ) {
        (self.hardening, self.hooks, self.timer, self.ring) = (hardening, hooks, timer, ring)
        (self.control, self.ssh) = (control, ssh)
    }

    func add(to status: inout AgentStatus) {
        let active = hooks.active
        status.hooks = active.map(\.rawValue)
        status.hardening = hardening.active.map(\.rawValue)
        status.memoryLimit = hardening.lockedMemoryLimit
        status.isMemoryLocked = hardening.active.contains(.lockedMemory)
        status.controlSocket = control
        status.sshSocket = ssh
        if !status.isLocked {
            status.sshKeys = ring.count
            status.idleSeconds = timer.remaining.map { Int(clamping: $0.idle) }
            status.absoluteSeconds = timer.remaining.map { Int(clamping: $0.absolute) }
        }
        status.warnings += hardening.warning.map { [$0] } ?? []
        status.warnings += hardening.missing.filter { $0 != .lockedMemory }.map {
            "not active: \($0.rawValue)"
        }
        status.warnings += Self.lostHooks(active)
    }

    private static func lostHooks(_ active: [SleepHooks.Hook]) -> [String] {
        guard !active.isEmpty else {
            return ["the vault will not lock on sleep, screen lock or logout"]
        }
        return SleepHooks.Hook.allCases.filter { !active.contains($0) }.map { hook in
            switch hook {
            case .sleep: "the vault will not lock on sleep"
            case .screen: "the vault will not lock when the screen locks"
            case .session: "the vault will not lock on logout"
            }
        }
    }
}
