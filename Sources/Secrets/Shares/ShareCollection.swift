package import VaultCrypto

/// Collects the shares of one secret, one after the other.
package struct ShareCollection: Sendable {
    private var groups: [Int: [Share]] = [:]
    private var first: Share?
    /// The number of accepted shares.
    package private(set) var count = 0

    /// Makes a collection without shares.
    package init() {}

    /// Adds a share of the same split.
    ///
    /// - Throws: `ShareError.sharesDiffer`, `shareAgain`, `shareCount` for a share that is not needed; the accepted shares
    ///   stay.
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

    /// The number of shares that are needed, as far as it is known: a group without accepted shares counts as one share.
    package var needed: Int {
        guard let first else { return 1 }
        let known = groups.values.compactMap(\.first).reduce(0) { $0 + $1.header.threshold }
        return known + first.header.groupThreshold - groups.count
    }

    /// Whether there are enough shares.
    package var isComplete: Bool { count == needed }

    /// Restores the shared secret.
    ///
    /// - Parameter passphrase: The passphrase of the split; shares made here have none.
    /// - Returns: The secret, in locked memory.
    /// - Throws: `ShareError.shareCount` if more shares are needed, `sharesWrong`, `outOfMemory`.
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

    /// Combines the needed values and verifies the proof; a single value is already the shared secret.
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
