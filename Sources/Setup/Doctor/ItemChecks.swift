internal import Presentation
package import VaultKit

/// Items of programs that have no owner.
package enum ItemChecks {
    /// Nothing where each has one; owners lie beside the names, so no value is opened for it.
    package static func finding(_ vault: any VaultService) async throws -> Finding? {
        let ids = try await vault(Operations.itemSearch, ItemSearch()).open.map(\.id)
        guard !ids.isEmpty else { return nil }
        let count = try await vault.itemViews(ids).count { $0.details.map { $0.owner == nil } ?? false }
        guard count > 0 else { return nil }
        return Finding(
            check: .provider,
            state: .notice,
            message:
                "\(count) item\(count == 1 ? "" : "s") of programs \(count == 1 ? "is" : "are") without an owner",
            reason: "the agent asks once for each program and item",
            hint: "hsip item set ID --owner PROGRAM"
        )
    }
}
