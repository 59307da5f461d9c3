internal import Console
internal import VaultKit

/// Whether the audit log is there as it was written.
enum AuditCheck {
    static func finding(_ vault: any VaultService) async throws -> Finding {
        guard let failure = try await AuditTexts.problem(of: vault) else {
            return .fine(.audit, "no entry of the audit log is missing or changed")
        }
        return .problem(.audit, failure, reason: "what happened with the vault cannot be told for certain")
    }
}
