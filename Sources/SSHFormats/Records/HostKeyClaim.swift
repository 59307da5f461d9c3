/// The claim of one line that its key belongs to a name.
///
/// The times at which claims arrived decide which of several claims count.
///
/// A hash or a pattern does not show a name until the name is looked up, so an import cannot detect that the line has
/// another key for a known host. Such a line must not silently become a second valid key of that host. It waits until
/// a person trusts its key.
struct HostKeyClaim {
    let key: PublicKey
    /// When the claim came into the vault; lines of one import share one time, and every earlier line has an earlier
    /// one.
    let firstSeen: UInt64
    /// Whether the claim could not be compared when it arrived.
    let isUncompared: Bool

    init(_ host: KnownHost, firstSeen: UInt64, source: HostKeySource) {
        key = host.key
        self.firstSeen = firstSeen
        isUncompared = source == .imported && host.names.plainNames == nil
    }

    /// The claims on one name, in any order, that must wait.
    ///
    /// An uncompared claim waits if earlier keys count for the name and its own key differs from all of them.
    static func waiting(_ claims: [HostKeyClaim]) -> Set<Int> {
        guard claims.count > 1, claims.contains(where: \.isUncompared) else { return [] }
        var waiting: Set<Int> = []
        var counting: [HostKeyClaim] = []
        // Keys older than this claim; lines of the same import do not judge each other.
        var (before, time): (Set<[UInt8]>, UInt64) = ([], 0)
        let order = claims.indices.sorted { (claims[$0].firstSeen, $0) < (claims[$1].firstSeen, $1) }
        for index in order {
            let claim = claims[index]
            if claim.firstSeen != time {
                before.formUnion(counting.map(\.key.blob))
                (counting, time) = ([], claim.firstSeen)
            }
            if claim.isUncompared, !before.isEmpty, !before.contains(claim.key.blob) {
                waiting.insert(index)
            } else {
                counting.append(claim)
            }
        }
        return waiting
    }
}

extension HostKeyEntry {
    /// Returns the lines that count when these names are looked up, in their order.
    ///
    /// History does not count, nor does a line that waits for a person's decision (Schemas/ssh-records.md section 6).
    /// If a line waits for any of the names, it does not count at all.
    public static func counting(_ entries: [HostKeyEntry], for names: [HostName]) -> [HostKeyEntry] {
        let waiting = names.reduce(into: Set<UInt64>()) { waiting, name in
            waiting.formUnion(Self.waiting(among: entries, for: Array(name.lookup.utf8)))
        }
        return entries.filter { $0.isCurrent && !waiting.contains($0.sequence) }
    }

    /// Returns the numbers of the lines that wait for a person's decision about a name in its lookup form.
    static func waiting(among entries: [HostKeyEntry], for lookup: [UInt8]) -> Set<UInt64> {
        let trusted = entries.filter { $0.isTrust(for: lookup) }
        let claims = trusted.compactMap { entry in
            entry.host.map { HostKeyClaim($0, firstSeen: entry.firstSeen, source: entry.source) }
        }
        return Set(HostKeyClaim.waiting(claims).map { trusted[$0].sequence })
    }
}
