package import Presentation
package import RecordStore

/// What one check of `doctor` found.
package struct Finding {
    /// What was looked at (Schemas/cli/doctor.schema.json).
    package enum Check: String {
        case vaultFile, permissions, fileSystem, leftovers, anchor, slots, keyDerivation, memory, diskSpace
        case clock, restored, sessions, secrets, pendingCodes, verification, helpers, terminal
        case backend, keyring, keptCopies, backups, ssh, agent, audit, rules, provider, machines
    }

    /// How it is; the worst first.
    package enum State: Int {
        case problem, warning, notice, ok

        package var word: String {
            switch self {
            case .problem: "problem"
            case .warning: "warning"
            case .notice: "notice"
            case .ok: "ok"
            }
        }

        package var tone: Tone {
            switch self {
            case .problem: .danger
            case .warning: .soon
            case .notice: .plain
            case .ok: .good
            }
        }
    }

    /// What sets it right, and the question before it.
    package struct Fix {
        package let question: String
        /// What protects against another person: `--yes` does not answer for the person.
        package let needsPerson: Bool
        package let act: () async throws -> Void

        package init(question: String, needsPerson: Bool = false, act: @escaping () async throws -> Void) {
            (self.question, self.needsPerson, self.act) = (question, needsPerson, act)
        }
    }

    package let check: Check
    package let state: State
    package let message: String
    /// Why it matters.
    package var reason: String?
    /// One command.
    package var hint: String?
    /// A name of errors.json, of a problem.
    package var code: String?
    /// What the program ends with, for a problem.
    package var exit: Int32
    package var fix: Fix?
    package var isFixed = false

    package init(
        check: Check,
        state: State,
        message: String,
        reason: String? = nil,
        hint: String? = nil,
        code: ErrorName? = nil,
        fix: Fix? = nil
    ) {
        (self.check, self.state, self.message) = (check, state, message)
        (self.reason, self.hint, self.fix) = (reason, hint, fix)
        (self.code, exit) = (code?.rawValue, code?.exitCode ?? 0)
    }

    /// All is well.
    package static func fine(_ check: Check, _ message: String) -> Finding {
        Finding(check: check, state: .ok, message: message)
    }

    /// What another command would have failed with.
    package static func problem(
        _ check: Check,
        _ failure: Failure,
        reason: String? = nil,
        fix: Fix? = nil
    ) -> Finding {
        // Advice that leads here does not help here.
        let advice = failure.hint.flatMap { $0.hasPrefix("hsip doctor") ? nil : $0 }
        var finding = Finding(
            check: check,
            state: .problem,
            message: failure.message,
            reason: reason,
            hint: fix == nil ? advice : "hsip doctor --fix",
            fix: fix
        )
        (finding.code, finding.exit) = (failure.name, failure.exitCode)
        return finding
    }

    /// The same for a vault that is older than what was seen of it.
    package static func older(_ failure: Failure) -> Finding {
        .problem(.anchor, failure, reason: "more messages may have been sent and read with the newest copy")
    }

    /// The same for a refusal of the store.
    package static func problem(_ error: StoreError) -> Finding {
        switch error {
        case .rollback, .fork:
            older(Failure(error))
        case .unsafeFile: .problem(.permissions, Failure(error))
        case .unsuitableFileSystem: .problem(.fileSystem, Failure(error))
        case .anchorRequired, .anchorNotWritten: .problem(.anchor, Failure(error))
        case .noSuchSlot: .problem(.slots, Failure(error))
        case .kdfOutOfBounds: .problem(.keyDerivation, Failure(error))
        case .outOfMemory: .problem(.memory, Failure(error))
        case .diskFull: .problem(.diskSpace, Failure(error))
        case .noSessionBus, .noSecretService, .ownProvider, .noSecretLibrary, .noSuchCollection,
            .keyringLocked,
            .promptDismissed, .keyringTimeout, .keyringDied, .keyringRefused:
            .problem(.backend, Failure(error))
        default: .problem(.vaultFile, Failure(error))
        }
    }

    package var json: JSONValue {
        [
            "check": .text(check.rawValue), "state": .text(state.word), "code": .optional(code),
            "exit": .integer(Int64(exit)), "message": .text(message), "reason": .optional(reason),
            "hint": .optional(hint), "fixed": .bool(isFixed),
        ]
    }
}
