internal import SSHFormats
internal import VaultKit

/// A machine that a word names: by a profile of the vault, or by its own name.
struct HostTarget {
    /// The profile, where the word is the name of one.
    let profile: HostSummary?
    /// Where it can be asked for its keys.
    let address: HostName
    /// What its keys are known under.
    let name: HostName

    init(_ profile: HostSummary) {
        self.profile = profile
        address = profile.profile.address
        name = profile.profile.lookupName
    }

    init(_ host: HostName) {
        profile = nil
        address = host
        name = host
    }

    /// What to type for it: the name of the profile, or the host with its port.
    var word: String { profile?.name ?? HostWord.text(address) }

    /// What to call it: `db1`, or `db1 ([192.0.2.7]:2222)` where the name alone does not say what is looked
    /// up.
    var shown: String {
        guard let profile, profile.name != name.lookup else { return name.lookup }
        return "\(profile.name) (\(name.lookup))"
    }
}
