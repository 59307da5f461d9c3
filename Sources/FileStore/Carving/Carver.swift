internal import Glibc
internal import RecordStore
internal import VaultCrypto

/// Everything in a damaged file and its log that has the shape of a row; no key is needed for that.
struct Carver {
    /// The most slots of one kind that are looked at.
    private static let maximumSlots = 256
    /// The kinds that have a limit of their own; the others have one together.
    private static let kinds: [SlotKind] = [
        .passphrase, .plainRecovery, .secretService, .tpm, .securityKey, .recovery,
    ]
    /// The most vaults that heads name, and the most heads of one of them and of all.
    private static let maximumVaults = 4_096
    private static let maximumHeads = 1 << 18
    private static let maximumHeadsOfAll = 1 << 20
    /// Bytes that are searched at once.
    private static let window = 1 << 20
    /// Bytes in front of and behind a window that what begins in it may need.
    private static let before = 32
    private static let after = 4_096
    /// Rows that lie in one page whole and were seen already, by their bytes.
    private static let remembered = 1 << 18

    /// Where rows may lie.
    private(set) var places = PlaceList()
    /// Where heads may begin, by the vault and the key epoch that they name.
    private(set) var heads: [RepairVault: [UInt64]] = [:]
    /// What has the shape of a slot, without repetitions.
    private(set) var slots: [SlotRow] = []
    /// Whether more was found than a limit lets in, which no vault has.
    private(set) var isCutShort = false
    /// Blocks of 4 KiB that the disk did not give back.
    private(set) var unreadable = 0
    private var seen = [Int](repeating: 0, count: remembered)
    private var headCount = 0
    private var slotCounts: [SlotKind?: Int] = [:]

    /// Searches a file and a log; what is found is less than all of it once it should end.
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

    /// Whether there is nothing of a vault in it.
    var isEmpty: Bool { places.count == 0 && heads.isEmpty && slots.isEmpty }

    private mutating func search(
        _ source: BlockSource,
        isLog: Bool,
        _ isStopped: () -> Bool
    ) throws(RepairRefusal) {
        var buffer = [UInt8](repeating: 0, count: Self.before + Self.window + Self.after)
        for start in stride(from: 0, to: source.size, by: Self.window) where !isStopped() {
            // The window and what it needs around it; only blocks of the window itself are counted.
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

    /// Searches for what has its mark in `range`; the first of the bytes is the byte `base` of its file.
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

    /// Whether the same bytes were seen as a row before: a log has many images of one page.
    private mutating func isKnown(_ bytes: RawSpan) -> Bool {
        var hasher = Hasher()
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        let hash = hasher.finalize()
        let place = Int(UInt(bitPattern: hash) % UInt(Self.remembered))
        defer { seen[place] = hash }
        return seen[place] == hash
    }

    /// Where a pattern begins in a range.
    private static func places(of pattern: [UInt8], in bytes: RawSpan, _ range: Range<Int>) -> [Int] {
        unsafe bytes.withUnsafeBytes { bytes in
            var found: [Int] = []
            // The second byte of each is the rarest of it in a page.
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
