internal import Presentation
internal import Secrets
package import VaultKit

/// Passwords, tokens and files that ended, or end soon; `secret list --expiring` names the same.
package enum SecretChecks {
    /// How many days before its end a secret is reported.
    private static let days = CredentialSummary.soon / 86_400

    /// One finding; the ends lie beside the names, so no value is opened for it.
    package static func finding(_ vault: any VaultService, now: Int64) async throws -> Finding {
        var wanted = CredentialQuery()
        wanted.expiresBefore = UInt64(clamping: now + CredentialSummary.soon + 1)
        let found = try await vault.credentials(wanted)
        guard !found.isEmpty else { return .fine(.secrets, "no secret expires soon") }
        let ended = found.count { $0.isExpired(at: UInt64(clamping: now)) }
        return Finding(
            check: .secrets,
            state: .warning,
            message: [said(ended, "ended"), said(found.count - ended, "expiring soon")].compactMap(\.self)
                .joined(separator: ", "),
            reason: "access with these secrets may end",
            hint: "hsip secret list --expiring \(days)d"
        )
    }

    private static func said(_ count: Int, _ state: String) -> String? {
        count == 0 ? nil : "\(count) secret\(count == 1 ? "" : "s") \(state)"
    }
}
