internal import HSIP
package import VaultKit

/// Names for new contacts that nobody has yet.
package enum NewName {
    /// The name with the lowest number behind it that is free, the trash included: `alice-2`.
    package static func free(like name: String, in vault: any VaultService) async -> String {
        let taken = await taken(in: vault)
        for number in 2..<10_000 {
            let proposal = "\(name)-\(number)"
            if !taken.contains(proposal) { return proposal }
        }
        return name
    }

    /// Every name that is somebody's.
    package static func taken(in vault: any VaultService) async -> Set<String> {
        let living = (try? await vault.contacts()) ?? []
        let removed = (try? await vault.contacts(inTrash: true)) ?? []
        return Set((living + removed).map(\.alias))
    }
}
