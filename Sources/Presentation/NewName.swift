internal import HSIP
package import VaultKit

/// Free names for new contacts.
package enum NewName {
    /// The free name with the lowest number after it, the trash included: `alice-2`.
    package static func free(like name: String, in vault: any VaultService) async -> String {
        let taken = await taken(in: vault)
        for number in 2..<10_000 {
            let proposal = "\(name)-\(number)"
            if !taken.contains(proposal) { return proposal }
        }
        return name
    }

    /// Every name that is taken.
    package static func taken(in vault: any VaultService) async -> Set<String> {
        let living = (try? await vault(Operations.contacts, .kept)) ?? []
        let removed = (try? await vault(Operations.contacts, .trash)) ?? []
        return Set((living + removed).map(\.alias))
    }
}
