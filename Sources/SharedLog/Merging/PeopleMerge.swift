internal import VaultCrypto

extension PinObject {
    /// How much two changes of trust weigh against each other: the highest counts.
    private static let weights: [UInt8: Int] = [4: 5, 3: 4, 0: 3, 1: 2, 2: 1]

    /// What an index keeps.
    package var digests: [RegisterDigest] {
        [
            alias.registerDigest, sentName.registerDigest, note.registerDigest, judgement.registerDigest,
            requiresVerification.registerDigest, trashedAt.registerDigest,
        ]
    }

    /// Trust, how it came about, and when: they belong together.
    private var judgement: [UInt8] { [trust, verification] + verifiedAt.bigEndianBytes }

    /// Merges two changes of one pin: revoked, then suspicious, then the lower trust.
    package func merged(
        with log: PinObject,
        base: [RegisterDigest]
    ) -> (pin: PinObject, hasLoss: Bool) {
        var merge = RegisterMerge(base: base)
        var result = log
        result.alias = merge.pick(alias, log.alias)
        result.sentName = merge.pick(sentName, log.sentName)
        result.note = merge.pick(note, log.note)
        let judgement = merge.pick(judgement, log.judgement) { mine, theirs in
            Self.weight(mine) > Self.weight(theirs) ? mine : theirs
        }
        if judgement == self.judgement {
            (result.trust, result.verification, result.verifiedAt) = (trust, verification, verifiedAt)
        }
        result.requiresVerification = merge.pick(requiresVerification, log.requiresVerification) { $0 || $1 }
        // Not in the trash if either wants it.
        result.trashedAt = merge.pick(trashedAt, log.trashedAt, losesNothing: true, both: min)
        return (result, merge.hasLoss)
    }

    private static func weight(_ judgement: [UInt8]) -> Int {
        judgement.first.flatMap { weights[$0] } ?? .max
    }
}

extension RuleObject {
    /// What became of a rule that both changed.
    package enum Merge: Hashable, Sendable {
        /// One rule is left.
        case one(RuleObject, hasLoss: Bool)
        /// Both are kept: the log's under its name, this machine's under another.
        case both
    }

    private static let effect = Array("effect".utf8)
    private static let deny = Array("deny".utf8)

    /// What an index keeps: the verdict, and the conditions.
    package var digests: [RegisterDigest] { [verdict.registerDigest, conditions.registerDigest] }

    private var verdict: [UInt8] { attributes.first { $0.name == Self.effect }?.value ?? [] }
    private var conditions: [[UInt8]] {
        attributes.filter { $0.name != Self.effect }.flatMap { [$0.name, $0.value] }
    }

    /// Merges two changes of one rule: deny before ask; of two sets of conditions, both rules are kept.
    package func merged(with log: RuleObject, base: [RegisterDigest]) -> Merge {
        var merge = RegisterMerge(base: base)
        let verdict = merge.pick(verdict, log.verdict) { $0 == Self.deny ? $0 : $1 }
        let losses = merge.losses
        let conditions = merge.pick(conditions, log.conditions)
        guard merge.losses == losses else { return .both }
        var attributes = (conditions == log.conditions ? log : self).attributes
        attributes.removeAll { $0.name == Self.effect }
        if !verdict.isEmpty { attributes.append(Attribute(name: Self.effect, value: verdict)) }
        return .one(RuleObject(attributes), hasLoss: losses > 0)
    }
}

/// A record that one side changed and the other removed: the change stays.
package enum RemovalMerge: Hashable, Sendable {
    /// Both agree.
    case gone
    /// The log removed it and it is unchanged here: into the trash, or erased if it lies there already.
    case remove
    /// The log removed it and it was changed here: it is put again (`removedElsewhere`).
    case putAgain
    /// It was removed here, and the log changed it: it comes back (`removedElsewhere`).
    case comesBack
    /// It was removed here, and the log has it as before: it is deleted there.
    case delete

    /// What becomes of it.
    ///
    /// - Parameters:
    ///   - mine: the registers here; nil if it is gone.
    ///   - theirs: the registers of the log; nil if it is gone.
    ///   - base: the registers at the last entry that was taken.
    /// - Returns: nil if neither removed it.
    package static func of(
        mine: [RegisterDigest]?,
        theirs: [RegisterDigest]?,
        base: [RegisterDigest]
    ) -> RemovalMerge? {
        switch (mine, theirs) {
        case (nil, nil): .gone
        case (let mine?, nil): mine == base ? .remove : .putAgain
        case (nil, let theirs?): theirs == base ? .delete : .comesBack
        case (_?, _?): nil
        }
    }
}
