internal import AgentProtocol
internal import Commands
internal import Presentation
internal import Setup
internal import Text
internal import VaultLifecycle

/// The status of an agent, for people and scripts.
struct AgentSheet {
    let status: AgentStatus
    /// Unix seconds.
    let now: Int64
    /// The provider of the secrets of other programs.
    let provider: ProviderState

    init(status: AgentStatus, _ context: Context) {
        (self.status, now, provider) = (status, context.now, context.provider)
    }

    /// Reads the status from an agent.
    init(_ agent: AgentClient, _ context: Context) async throws {
        self.init(status: try await agent.status(), context)
    }

    /// The earlier of its two lock times; nil while it is locked, or without a limit.
    private var locksAt: Int64? {
        [status.idleSeconds, status.absoluteSeconds].compactMap(\.self).min().map { now + Int64($0) }
    }

    /// The status for scripts (Schemas/cli/agent.schema.json, `agent`).
    var json: JSONValue {
        [
            "program": .text(status.program), "pid": .integer(Int64(status.pid)),
            "protocol": .integer(Int64(status.protocol)), "locked": .bool(status.isLocked),
            "vault": .text(status.vault), "vaultId": .optional(status.vaultID),
            "backend": .optional(status.backend.map { Backend(rawValue: $0)?.word ?? $0 }),
            "locksAt": .time(locksAt), "idleSeconds": .optional(status.idleSeconds.map { Int64($0) }),
            "absoluteSeconds": .optional(status.absoluteSeconds.map { Int64($0) }),
            "hooks": .list(status.hooks.map { .text($0) }),
            "hardening": .list(status.hardening.map { .text($0) }),
            "memoryLocked": .bool(status.isMemoryLocked),
            "memoryLimitBytes": .optional(status.memoryLimit.map { Int64($0) }),
            "controlSocket": .optional(status.controlSocket), "sshSocket": .optional(status.sshSocket),
            "sshKeys": .optional(status.sshKeys.map { Int64($0) }),
            "questions": .optional(status.questions?.rawValue), "questionsAt": .optional(status.questionsAt),
            "connections": .integer(Int64(status.connections)), "provider": .text(provider.rawValue),
            "refused": [
                "afterNo": .integer(Int64(status.refused.afterNo)),
                "afterWindow": .integer(Int64(status.refused.afterWindow)),
                "tooOften": .integer(Int64(status.refused.tooOften)),
                "tooMany": .integer(Int64(status.refused.tooMany)),
            ],
            "plainPrograms": .integer(Int64(status.plainPrograms)),
            "notes": .list(status.warnings.map { .text($0) }),
        ]
    }

    /// The short status for `hsip status` (Schemas/cli/status.schema.json).
    var brief: JSONValue {
        [
            "version": .text(status.program), "locked": .bool(status.isLocked), "locksAt": .time(locksAt),
            "idleSeconds": .optional(status.idleSeconds.map { Int64($0) }),
        ]
    }

    /// `open` with the lock time, or `locked`.
    func state(_ display: Display) -> Cell {
        Cell(status.isLocked ? "locked" : "open\(until)", value: status.isLocked ? "locked" : "open")
    }

    /// `, locks after 12 min without use, and after 7 hours at the latest`.
    private var until: String {
        let idle = status.idleSeconds.map { ", locks after \(Self.rough($0)) without use" }
        let absolute = status.absoluteSeconds.map {
            ", and after \(Self.rough($0)) at the latest"
        }
        return (idle ?? "") + (absolute ?? "")
    }

    /// The place where the agent itself asks: `at the terminal /dev/pts/3`.
    func questions(_ context: Context) -> Cell {
        let at = context.output.display.cell(status.questionsAt ?? "")
        let value = (status.questions?.rawValue ?? "unknown") + (at.isEmpty ? "" : ":\(at)")
        return switch status.questions {
        case .window: Cell("in a window on \(at)", value: value)
        case .terminal: Cell("at the terminal \(at)", value: value)
        case .console: Cell("for a passphrase only, on the machine's console", value: value)
        case .nobody: Cell("nowhere: requests that need your approval are refused", value: value, tone: .soon)
        case nil: Cell("unknown", value: value)
        }
    }

    /// The complete status for people.
    func sheet(_ context: Context) -> FactSheet {
        var sheet = FactSheet()
        let display = context.output.display
        sheet.add(
            "Agent",
            Cell(display.text(status.program)),
            Cell("pid \(status.pid)", value: "\(status.pid)")
        )
        sheet.add("State", state(display))
        if let locksAt { sheet.add("Locks at", Cell(exactly: locksAt)) }
        sheet.add("Asks", questions(context))
        sheet.add("Locks also with", Self.words(status.hooks, none: "nothing: by time alone"))
        sheet.add("Hardened by", Self.words(status.hardening, none: "nothing"))
        sheet.add(
            "Memory",
            Cell(
                status.isMemoryLocked ? "locked, never in swap" : "NOT locked: secrets may reach swap",
                value: status.isMemoryLocked ? "locked" : "unlocked",
                tone: status.isMemoryLocked ? .plain : .danger
            )
        )
        if let path = status.controlSocket { sheet.add("Control socket", context.path(path)) }
        if let path = status.sshSocket { sheet.add("SSH socket", context.path(path)) }
        if let keys = status.sshKeys { sheet.add("SSH keys", "\(keys)") }
        sheet.add("Other programs", provider.cell)
        if status.refused.sum > 0 { sheet.add("Not asked", Self.cell(status.refused)) }
        return sheet
    }

    /// Returns a duration to the nearest minute, since it ends a few seconds before a round number.
    static func rough(_ seconds: Int) -> String {
        Durations.rough(Int64(seconds < 60 ? seconds : (seconds + 30) / 60 * 60))
    }

    /// Returns the number of prompts of programs that were not shown: `2 after a no, 1 as there were too many in a
    /// minute`.
    private static func cell(_ refused: UnaskedRefusals) -> Cell {
        let kinds = [
            (refused.afterNo, "after a no"), (refused.afterWindow, "after a closed window"),
            (refused.tooOften, "as there were too many in a minute"),
            (refused.tooMany, "as too many were waiting"),
        ]
        let shown = kinds.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return Cell(shown.joined(separator: ", "), value: "\(refused.sum)")
    }

    private static func words(_ names: [String], none: String) -> Cell {
        guard !names.isEmpty else { return Cell(none, value: "none") }
        return Cell(names.joined(separator: ", "), value: names.joined(separator: ","))
    }
}

extension ProviderState {
    /// The place where other programs store their secrets, for people.
    var cell: Cell {
        let shown =
            switch self {
            case .serving: "keep their secrets in this vault"
            case .elsewhere: "keep their secrets elsewhere, though hsip setup keyring was used"
            case .off: "keep their secrets elsewhere"
            }
        return Cell(shown, value: rawValue, tone: self == .elsewhere ? .soon : .plain)
    }
}

extension Context {
    /// The provider of the secrets of other programs in this session.
    var provider: ProviderState {
        guard let place = try? place() else { return .off }
        return ProviderState.find(place, environment)
    }
}
