internal import Glibc
internal import RecordStore
internal import VaultCrypto

/// All data in a damaged file and its log that has the shape of a row; finding it needs no key.
struct Carver {
    /// The most slots of one kind that are read.
    private static let maximumSlots = 256
    /// The kinds with their own limit; all other kinds share one.
    private static let kinds: [SlotKind] = [
        .passphrase, .plainRecovery, .secretService, .tpm, .securityKey, .recovery,
    ]
    /// The most vaults that heads may name, the most heads of one vault, and of all.
    private static let maximumVaults = 4_096
    private static let maximumHeads = 1 << 18
    private static let maximumHeadsOfAll = 1 << 20
    /// Bytes that are searched at once.
    private static let window = 1 << 20
    /// Bytes before and after a window that a row in it may need.
    private static let before = 32
    private static let after = 4_096
    /// The number of remembered rows that are whole in one page.
    private static let remembered = 1 << 18

    /// The positions of possible rows.
    private(set) var places = PlaceList()
    /// The positions of possible heads, by the vault and key epoch that they name.
    private(set) var heads: [RepairVault: [UInt64]] = [:]
    /// The possible slots, without repetitions.
    private(set) var slots: [SlotRow] = []
    /// Whether a limit was exceeded, which happens with no genuine vault.
    private(set) var isCutShort = false
    /// Unreadable blocks on the disk, 4 KiB each.
    private(set) var unreadable = 0
    private var seen = [Int](repeating: 0, count: remembered)
    private var headCount = 0
    private var slotCounts: [SlotKind?: Int] = [:]

    /// Searches a file and a log; a stopped search has found only a part.
    ///
    /// - Throws: `tooManyRows`.
    init(_ images: PageImages, isStopped: () -> Bool = { false }) throws(RepairRefusal) {
        if let file = images.file { try search(file, isLog: false, isStopped) }
        if let log = images.log { try search(log, isLog: true, isStopped) }
        seen = []
    }

    /// The vaults and key epochs that heads name, the newest epoch first.
    var vaults: [RepairVault] {
        heads.sorted { ($1.key.epoch, $0.value.first ?? 0) < ($0.key.epoch, $1.value.first ?? 0) }.map(\.key)
    }

    /// Whether the file has no part of a vault.
    var isEmpty: Bool { places.count == 0 && heads.isEmpty && slots.isEmpty }

    private mutating func search(
        _ source: BlockSource,
        isLog: Bool,
        _ isStopped: () -> Bool
    ) throws(RepairRefusal) {
        var buffer = [UInt8](repeating: 0, count: Self.before + Self.window + Self.after)
        for start in stride(from: 0, to: source.size, by: Self.window) where !isStopped() {
            // The window and the bytes around it; only unreadable blocks of the window itself are counted.
            let count = min(Self.window, source.size - start)
            let lead = min(Self.before, start)
            var span = buffer.mutableSpan
            var bytes = unsafe span.mutableBytes
            var around = bytes._mutatingExtracting(first: lead)
            _ = source.read(at: start - lead, into: &around)
            var middle = bytes._mutatingExtracting(lead..<lead + count)
            unreadable += source.read(at: start, into: &middle)
            let tail = min(Self.after, source.size - start - count)
            var behind = bytes._mutatingExtracting(lead + count..<lead + count + tail)
            _ = source.read(at: start + count, into: &behind)
            let found = buffer[..<(lead + count + tail)]
            try found.withBytes { bytes throws(RepairRefusal) in
                try search(bytes, lead..<lead + count, at: start - lead, isLog)
            }
        }
    }

    /// Searches for rows whose mark is in `range`; `base` is the offset of `bytes` in the file.
    private mutating func search(
        _ bytes: RawSpan,
        _ range: Range<Int>,
        at base: Int,
        _ isLog: Bool
    ) throws(RepairRefusal) {
        for mark in Self.places(of: RecordShape.mark, in: bytes, range) {
            let start = mark - RecordShape.before
            guard let shape = RecordShape(bytes, at: start), start + shape.local <= bytes.byteCount else {
                continue
            }
            if shape.payload == shape.local, isKnown(bytes.extracting(start..<start + shape.local)) {
                continue
            }
            let lane = Int(bytes.byte(at: start + shape.header) >> 1)
            try places.add(.init(isInLog: isLog, offset: base + start), lane: lane)
        }
        for mark in Self.places(of: HeadShape.mark, in: bytes, range) {
            guard let head = HeadShape.head(bytes, at: mark) else { continue }
            let place = PlaceList.Place(isInLog: isLog, offset: base + mark - HeadShape.before)
            add(place, of: RepairVault(id: head.vaultID, epoch: head.epoch))
        }
        for pattern in SlotShape.marks {
            for mark in Self.places(of: pattern, in: bytes, range) {
                if let slot = SlotShape.slot(bytes, at: mark) { add(slot) }
            }
        }
    }

    private mutating func add(_ head: PlaceList.Place, of vault: RepairVault) {
        let present = heads[vault]
        guard headCount < Self.maximumHeadsOfAll, present?.count ?? 0 < Self.maximumHeads,
            present != nil || heads.count < Self.maximumVaults
        else { return isCutShort = true }
        headCount += 1
        heads[vault, default: []].append(head.number)
    }

    private mutating func add(_ slot: SlotRow) {
        guard !slots.contains(slot) else { return }
        let kind = Self.kinds.first { $0 == slot.kind }
        guard slotCounts[kind, default: 0] < Self.maximumSlots else { return isCutShort = true }
        slotCounts[kind, default: 0] += 1
        slots.append(slot)
    }

    /// Whether equal bytes were found before: a log has many images of one page.
    private mutating func isKnown(_ bytes: RawSpan) -> Bool {
        var hasher = Hasher()
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        let hash = hasher.finalize()
        let place = Int(UInt(bitPattern: hash) % UInt(Self.remembered))
        defer { seen[place] = hash }
        return seen[place] == hash
    }

    /// The positions of a pattern in a range.
    private static func places(of pattern: [UInt8], in bytes: RawSpan, _ range: Range<Int>) -> [Int] {
        unsafe bytes.withUnsafeBytes { bytes in
            var found: [Int] = []
            // The second byte of each pattern is its rarest in a page.
            var start = range.lowerBound + 1
            let end = min(range.upperBound + 1, bytes.count)
            guard let base = bytes.baseAddress else { return found }
            while start < end,
                let hit = unsafe memchr(base.advanced(by: start), Int32(pattern[1]), end - start)
            {
                let place = unsafe UnsafeRawPointer(hit) - base - 1
                start = place + 2
                guard place + pattern.count <= bytes.count else { continue }
                if unsafe bytes[place..<place + pattern.count].elementsEqual(pattern) { found.append(place) }
            }
            return found
        }
    }
}
