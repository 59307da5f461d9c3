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

/// Names for profiles that came without one.
enum ProfileName {
    /// A name of the label, or of the address where that has none of the letters that names have.
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

    /// The free name with the lowest number after it.
    static func numbered(_ name: String, besides taken: Set<String>) -> String {
        let base = name.prefix(HostRecord.longestName - 8)
        var number = 2
        while taken.contains("\(base)-\(number)") { number += 1 }
        return "\(base)-\(number)"
    }
}
