internal import VaultCrypto

/// What is merged of an SSH key beside its halves, which never change.
package struct SSHKeyRegisters: Hashable, Sendable {
    /// Its name in the vault.
    package var name: String
    /// Its comment.
    package var comment: [UInt8]
    /// 0 active, 1 retired, 2 kept aside.
    package var state: UInt8
    /// When another key replaced it, in seconds; 0 for never.
    package var retiredAt: UInt32
    /// The digest of the key that replaced it, or that it replaced; empty for none.
    package var related: [UInt8]
    /// Its owner is asked before each use.
    package var asksEachTime: Bool
    /// Seconds for which an agent keeps it; 0 for no limit.
    package var lifetime: UInt32
    /// When it was put into the trash, in seconds; 0 for not.
    package var removedAt: UInt32
    /// The hosts that it is for; none for all.
    package var onlyFor: [String]
    /// The namespaces that it signs under; none if it signs nothing.
    package var namespaces: [String]
    /// Its certificates.
    package var certificates: [[UInt8]]

    /// The registers of one key.
    package init(
        name: String,
        comment: [UInt8] = [],
        state: UInt8 = 0,
        retiredAt: UInt32 = 0,
        related: [UInt8] = [],
        asksEachTime: Bool = false,
        lifetime: UInt32 = 0,
        removedAt: UInt32 = 0,
        onlyFor: [String] = [],
        namespaces: [String] = [],
        certificates: [[UInt8]] = []
    ) {
        self.name = name
        self.comment = comment
        self.state = state
        self.retiredAt = retiredAt
        self.related = related
        self.asksEachTime = asksEachTime
        self.lifetime = lifetime
        self.removedAt = removedAt
        self.onlyFor = onlyFor
        self.namespaces = namespaces
        self.certificates = certificates
    }

    /// What an index keeps.
    package var digests: [RegisterDigest] {
        [
            name.registerDigest, comment.registerDigest, lifecycle.registerDigest,
            asksEachTime.registerDigest, lifetime.registerDigest, removedAt.registerDigest,
            onlyFor.registerDigest,
            namespaces.registerDigest, certificates.registerDigest,
        ]
    }

    /// State, and when and with which key that came about, belong together.
    private var lifecycle: [UInt8] { [state] + retiredAt.bigEndianBytes + related }

    /// Retired before aside before active.
    private var strictness: Int { state == 1 ? 3 : Int(state) }

    /// Merges what this machine has with what the log has: the stricter of two changes.
    package func merged(
        with log: SSHKeyRegisters,
        base: [RegisterDigest]
    ) -> (registers: SSHKeyRegisters, hasLoss: Bool) {
        var merge = RegisterMerge(base: base)
        var result = log
        result.name = merge.pick(name, log.name)
        result.comment = merge.pick(comment, log.comment)
        let lifecycle = merge.pick(lifecycle, log.lifecycle) { mine, theirs in
            strictness > log.strictness ? mine : theirs
        }
        if lifecycle == self.lifecycle {
            (result.state, result.retiredAt, result.related) = (state, retiredAt, related)
        }
        result.asksEachTime = merge.pick(asksEachTime, log.asksEachTime) { $0 || $1 }
        result.lifetime = merge.pick(lifetime, log.lifetime) { $0 == 0 ? $1 : $1 == 0 ? $0 : min($0, $1) }
        // The trash wins: what is there can come back.
        result.removedAt = merge.pick(removedAt, log.removedAt, losesNothing: true, both: max)
        result.onlyFor = merge.pick(onlyFor, log.onlyFor, both: Self.stricter)
        // A key without namespaces signs nothing, which is the strictest.
        result.namespaces = merge.pick(namespaces, log.namespaces) { mine, theirs in
            mine.isEmpty || theirs.isEmpty ? [] : Self.stricter(mine, theirs)
        }
        result.certificates = merge.pick(certificates, log.certificates, losesNothing: true) { mine, theirs in
            theirs + mine.filter { !theirs.contains($0) }
        }
        return (result, merge.hasLoss)
    }

    /// What both allow, where an empty list allows everything; the log's if they allow nothing together.
    private static func stricter(_ mine: [String], _ theirs: [String]) -> [String] {
        guard !mine.isEmpty, !theirs.isEmpty else { return mine.isEmpty ? theirs : mine }
        let shared = theirs.filter { mine.contains($0) }
        return shared.isEmpty ? theirs : shared
    }
}

extension KnownHostObject {
    /// What an index keeps.
    package var digests: [RegisterDigest] {
        [ending.registerDigest, origin.registerDigest, firstSeen.registerDigest]
    }

    /// State, end and replacement belong together.
    private var ending: [UInt8] { [state] + ended.bigEndianBytes + replacedBy }

    /// How it came, and whether that still counts, belong together.
    private var origin: [UInt8] { isUncompared ? [source, 1] : [source] }
    private var isCompared: Bool { source == 1 && !isUncompared }

    /// Merges two ends and two origins of one line.
    ///
    /// Ended wins over counting, but for a `@revoked` mark, which wins over its removal; compared by a person wins over any other
    /// source, and not compared since a restore over what does not count as compared; the earlier first sight counts.
    package func merged(
        with log: KnownHostObject,
        base: [RegisterDigest]
    ) -> (line: KnownHostObject, hasLoss: Bool) {
        var merge = RegisterMerge(base: base)
        var result = log
        let isMark = line.starts(with: Array("@revoked ".utf8))
        let counts = (state == 0, log.state == 0)
        let ending = merge.pick(ending, log.ending) { mine, theirs in
            switch counts {
            case (true, false): isMark ? mine : theirs
            case (false, true): isMark ? theirs : mine
            default: theirs
            }
        }
        if ending == self.ending {
            (result.state, result.ended, result.replacedBy) = (state, ended, replacedBy)
        }
        let isMine = isCompared || isUncompared && !log.isCompared
        let origin = merge.pick(origin, log.origin, losesNothing: true) { isMine ? $0 : $1 }
        if origin == self.origin { (result.source, result.isUncompared) = (source, isUncompared) }
        result.firstSeen = merge.pick(firstSeen, log.firstSeen, losesNothing: true, both: min)
        return (result, merge.hasLoss)
    }

    /// This machine's line of a plain name for which the log has another key: the log's counts, and a person compares.
    package func replaced(by fingerprint: [UInt8], at time: UInt32) -> KnownHostObject {
        var line = self
        (line.state, line.ended, line.replacedBy) = (1, max(time, 1), fingerprint)
        return line
    }
}
