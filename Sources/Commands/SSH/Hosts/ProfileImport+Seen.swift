internal import SSHFormats
internal import VaultKit

extension ProfileImport {
    /// What no second profile may have.
    struct Seen {
        /// Names of profiles that are in use.
        var living: Set<String>
        /// The same, and those of the trash, and of the file so far.
        var taken: Set<String>
        /// The keys that there are.
        var keys: Set<String> = []
        private var identifiers: Set<HostID> = []
        private var pinned: [HostName: PublicKey] = [:]

        init(living: Set<String>, taken: Set<String>) {
            self.living = living
            self.taken = taken
        }

        /// Refuses what contradicts an earlier profile of the same file.
        mutating func take(_ entry: ProfileDocument.Entry, _ profile: HostProfile) throws {
            if let id = entry.id, !identifiers.insert(id).inserted { throw VaultError.ssh(.hostInVault) }
            guard let key = entry.hostKey else { return }
            let other = pinned.updateValue(key, forKey: profile.lookupName)
            if let other, !other.isSameKey(as: key.plain) { throw VaultError.ssh(.hostKeyChanged) }
        }

        /// A name for a profile: the one that it insists on, or a free one that is made for it.
        mutating func claim(_ name: String?, for profile: HostProfile) throws -> String {
            if let name {
                guard living.insert(name).inserted else { throw VaultError.ssh(.hostNameTaken) }
                taken.insert(name)
                return name
            }
            let base = ProfileName.made(from: profile)
            let free = taken.contains(base) ? ProfileName.numbered(base, besides: taken) : base
            living.insert(free)
            taken.insert(free)
            return free
        }
    }
}
