package import VaultCrypto

/// Shares of one secret as they come in, one after the other.
package struct ShareCollection: Sendable {
    private var groups: [Int: [Share]] = [:]
    private var first: Share?
    /// How many shares were accepted.
    package private(set) var count = 0

    /// Begins without a share.
    package init() {}

    /// Accepts a share of the same sharing.
    ///
    /// - Throws: `ShareError.sharesDiffer`, `shareAgain`, `shareCount` for a share beyond what is needed; the shares that are
    ///   here stay.
    package mutating func add(_ share: Share) throws(ShareError) {
        let (place, group) = (count + 1, groups[share.header.group] ?? [])
        let others = [first, group.first].compactMap { $0 }
        guard others.allSatisfy({ share.header.belongsTo($0.header) && share.value.count == $0.value.count })
        else { throw .sharesDiffer(at: place) }
        guard !group.contains(where: { $0.header.member == share.header.member }) else {
            throw .shareAgain(at: place)
        }
        let isNewGroup = group.isEmpty && groups.count == share.header.groupThreshold
        guard group.count < share.header.threshold, !isNewGroup else {
            throw .shareCount(needed: needed, found: place)
        }
        if first == nil { first = share }
        groups[share.header.group] = group + [share]
        count = place
    }

    /// How many shares are needed, as far as those that are here tell: a group that none is here of counts as one.
    package var needed: Int {
        guard let first else { return 1 }
        let known = groups.values.compactMap(\.first).reduce(0) { $0 + $1.header.threshold }
        return known + first.header.groupThreshold - groups.count
    }

    /// Whether there are enough.
    package var isComplete: Bool { count == needed }

    /// The secret that was shared.
    ///
    /// - Parameter passphrase: Of the sharing; shares that are made here have none.
    /// - Returns: It, in locked memory.
    /// - Throws: `ShareError.shareCount` when more are needed, `sharesWrong`, `outOfMemory`.
    package func secret(passphrase: [UInt8] = []) throws(ShareError) -> SecretBytes {
        guard let first, isComplete else { throw .shareCount(needed: needed, found: count) }
        var points: [Polynomial.Point] = []
        for (group, shares) in groups {
            let values = try recovered(shares.map { ($0.header.member, $0.value) })
            points.append(.init(place: UInt8(group), values: Secret(values)))
        }
        let encrypted = try recovered(points.map { (Int($0.place), $0.values) })
        return try ShareCipher(first.header).decrypt(encrypted, passphrase: passphrase)
    }

    /// What as many values as are needed give, after its proof was compared; one value is what was shared.
    private func recovered(_ values: [(place: Int, value: Secret)]) throws(ShareError) -> SecretBytes {
        guard values.count > 1 else {
            do { return try SecretBytes(copying: values[0].value) } catch { throw ShareError(error) }
        }
        let points = values.map { Polynomial.Point(place: UInt8($0.place), values: $0.value) }
        let polynomial = Polynomial(points: points)
        let secret = try polynomial.values(at: Share.secretPlace)
        let proof = try polynomial.values(at: Share.proofPlace)
        guard try Self.proves(proof, secret) else { throw .sharesWrong }
        return secret
    }

    private static func proves(
        _ proof: borrowing SecretBytes,
        _ secret: borrowing SecretBytes
    ) throws(ShareError) -> Bool {
        do throws(CryptoError) {
            let digest = try Share.digest(secret, try proof.slice(Share.digestSize..<proof.count))
            return ConstantTime.equal(digest, try proof.slice(0..<Share.digestSize))
        } catch {
            throw ShareError(error)
        }
    }
}
