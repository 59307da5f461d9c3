internal import SSHFormats
internal import VaultKit

extension ProfileImport {
    /// The names, identifiers and pinned keys that no second profile may have, and the keys in the vault.
    struct Seen {
        /// Names of profiles that are in use.
        var living: Set<String>
        /// Names of profiles in use, in the trash, and so far in the file.
        var taken: Set<String>
        /// Names of the SSH keys in the vault.
        var keys: Set<String> = []
        private var identifiers: Set<HostID> = []
        private var pinned: [HostName: PublicKey] = [:]

        init(living: Set<String>, taken: Set<String>) {
            self.living = living
            self.taken = taken
        }

        /// Refuses an entry that contradicts an earlier profile of the same file.
        mutating func take(_ entry: ProfileDocument.Entry, _ profile: HostProfile) throws {
            if let id = entry.id, !identifiers.insert(id).inserted { throw VaultError.ssh(.hostInVault) }
            guard let key = entry.hostKey else { return }
            let other = pinned.updateValue(key, forKey: profile.lookupName)
            if let other, !other.isSameKey(as: key.plain) { throw VaultError.ssh(.hostKeyChanged) }
        }

        /// The name for a profile: the required name, or a free name that is made for it.
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

/// Makes names for profiles that were imported without one.
enum ProfileName {
    /// A name from the label, or from the address if the label has no letter or digit that a name may have.
    static func made(from profile: HostProfile) -> String {
        for text in [profile.label, profile.address.name] {
            var name = ""
            for character in text.lowercased() {
                let isPlain =
                    character.isASCII
                    && (character.isLetter || character.isNumber || "._-".contains(character))
                if isPlain {
                    name.append(character)
                } else if !name.hasSuffix("-") {
                    name.append("-")
                }
            }
            name = String(name.drop { $0 == "-" }.prefix(HostRecord.longestName))
            while name.hasSuffix("-") { name.removeLast() }
            if name.contains(where: { $0.isLetter || $0.isNumber }), let name = try? HostRecord.name(name) {
                return name
            }
        }
        return "host"
    }

    /// The name with the lowest free number after it.
    static func numbered(_ name: String, besides taken: Set<String>) -> String {
        let base = name.prefix(HostRecord.longestName - 8)
        var number = 2
        while taken.contains("\(base)-\(number)") { number += 1 }
        return "\(base)-\(number)"
    }
}
