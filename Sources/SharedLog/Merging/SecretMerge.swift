internal import VaultCrypto

/// The registers of a secret, beside its versions.
package struct SecretRegisters: Hashable, Sendable {
    /// The type: login, token, note or file; if two types have the same uid, both secrets are kept, not
    /// merged.
    package var type: UInt8
    /// The name in the vault.
    package var name: String
    /// Expiry, in seconds; 0 for never.
    package var end: UInt64
    /// The origin of the secret.
    package var origin: String
    /// The next counter of its one-time passwords; 0 for none.
    package var counter: UInt64
    /// Time of removal to the trash, in seconds; 0 if not removed.
    package var removedAt: UInt64
    /// The hash of the versions, 32 bytes: they are merged separately, and the hash shows whether they
    /// changed.
    package var versions: [UInt8]
    /// The tags.
    package var tags: [String]

    /// The registers of one secret.
    package init(
        type: UInt8,
        name: String,
        end: UInt64 = 0,
        origin: String = "",
        counter: UInt64 = 0,
        removedAt: UInt64 = 0,
        versions: [UInt8] = [],
        tags: [String] = []
    ) {
        self.type = type
        self.name = name
        self.end = end
        self.origin = origin
        self.counter = counter
        self.removedAt = removedAt
        self.versions = versions
        self.tags = tags
    }

    /// The place of the versions among the digests.
    package static let versionsPlace = 6

    /// The digests for an index: seven registers, then one for each tag.
    package var digests: [RegisterDigest] {
        [
            type.registerDigest, name.registerDigest, end.registerDigest, origin.registerDigest,
            counter.registerDigest, removedAt.registerDigest, versions.registerDigest,
        ] + tags.map(\.registerDigest)
    }

    /// Merges the registers of this machine with those of the log.
    ///
    /// - Returns: the merged registers, and whether a change was lost; nil if the types differ, so both secrets stay.
    package func merged(
        with log: SecretRegisters,
        base: [RegisterDigest]
    ) -> (registers: SecretRegisters, hasLoss: Bool)? {
        guard type == log.type else { return nil }
        var merge = RegisterMerge(base: base)
        var result = log
        result.type = merge.pick(type, log.type)
        result.name = merge.pick(name, log.name)
        // The earlier of two ends; none is the latest.
        result.end = merge.pick(end, log.end) { $0 == 0 ? $1 : $1 == 0 ? $0 : min($0, $1) }
        result.origin = merge.pick(origin, log.origin)
        // A number that was given out is never given out again, whichever change came last.
        _ = merge.pick(counter, counter)
        result.counter = max(counter, log.counter)
        // What one side wants to keep stays.
        result.removedAt = merge.pick(removedAt, log.removedAt, losesNothing: true, both: min)
        result.tags = SetMerge.merge(base: Set(base.dropFirst(7)), mine: tags, theirs: log.tags)
            .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        return (result, merge.hasLoss)
    }
}

/// A version of a secret, without its values.
package struct VersionMark: Hashable, Sendable {
    /// Its number.
    package let number: UInt32
    /// When it was made, in seconds.
    package let time: UInt64
    /// The hash of its fields, 32 bytes.
    package let digest: [UInt8]

    /// A version.
    package init(number: UInt32, time: UInt64, digest: [UInt8]) {
        self.number = number
        self.time = time
        self.digest = digest
    }
}

/// Merges the versions of a secret: both sides' versions stay, sorted by time and then by digest.
package enum VersionMerge {
    /// The most versions of a secret (Schemas/credentials.md).
    package static let longest = 10

    /// A version in the merged list.
    package struct Pick: Hashable, Sendable {
        /// The number in the merged list.
        package let number: UInt32
        /// The original version; its number may differ.
        package let version: VersionMark
        /// Whether the version comes from this machine's record, not from the log's.
        package let isMine: Bool
    }

    /// The versions of both sides, ascending; the last one is current.
    ///
    /// Versions after the last common one get new numbers. At most ten stay: the newest, and each side's last one.
    ///
    /// - Returns: the versions, and whether both sides had their own new versions (`bothChanged`).
    package static func merge(
        mine: [VersionMark],
        theirs: [VersionMark]
    ) -> (versions: [Pick], bothChanged: Bool) {
        let known = Set(theirs)
        let digests = Set(theirs.map(\.digest))
        var lastCommon: UInt32 = 0
        for mark in mine {
            if known.contains(mark) { lastCommon = mark.number }
            // Versions after one of this machine alone are not common, even if the log has them under the same numbers.
            let isOld = theirs.first.map { mark.number < $0.number } ?? false
            guard digests.contains(mark.digest) || isOld else { break }
        }
        var result = theirs.filter { $0.number <= lastCommon }
            .map { Pick(number: $0.number, version: $0, isMine: false) }
        let ofTheirs = theirs.filter { $0.number > lastCommon }
        let same = Set(ofTheirs.map(\.digest))
        // Equal fields make it one version on both sides.
        let ofMine = mine.filter { $0.number > lastCommon && !same.contains($0.digest) }
        let new =
            ofTheirs.map { (version: $0, isMine: false) } + ofMine.map { (version: $0, isMine: true) }
        let sorted = new.sorted { first, second in
            guard first.version.time == second.version.time else {
                return first.version.time < second.version.time
            }
            return first.version.digest.lexicographicallyPrecedes(second.version.digest)
        }
        for (index, entry) in sorted.enumerated() {
            result.append(
                Pick(
                    number: lastCommon + UInt32(index) + 1,
                    version: entry.version,
                    isMine: entry.isMine
                )
            )
        }
        var kept = Array(result.suffix(longest))
        // Ten versions of one side do not drive the only change of the other out.
        for isMine in [true, false]
        where !kept.contains(where: { $0.isMine == isMine && $0.number > lastCommon }) {
            guard let last = result.last(where: { $0.isMine == isMine && $0.number > lastCommon }) else {
                continue
            }
            kept[0] = last
        }
        return (kept, !ofTheirs.isEmpty && !ofMine.isEmpty)
    }
}
