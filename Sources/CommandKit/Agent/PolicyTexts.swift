internal import Audit
internal import Console
internal import VaultKit
internal import VaultPolicy

/// What a person reads of an act that is not in the audit log.
enum PolicyTexts {
    /// What is said of an act that went on without an entry.
    static func unlogged(_ error: VaultError) -> String {
        let reason =
            switch error {
            case .audit(.noPlace): "its folder cannot be written"
            case .audit(.diskFull): "the disk is full"
            case .audit(.failed(let code)): "system error \(code)"
            default: Failures.explain(error).message
            }
        return "this command is not in the audit log: \(reason)"
    }
}
