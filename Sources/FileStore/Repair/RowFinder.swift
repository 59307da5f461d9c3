internal import RecordStore
internal import VaultCrypto

/// Reads rows where they were found, and judges them.
///
/// A page of a damaged row may have many images, and a forged file may contain anything. So reading of rows that fill
/// more than one page is limited, for each row and for all together.
struct RowFinder: ~Copyable {
    /// How often the bytes of one row may be read in vain, and the least that may be read in vain of a short row.
    private static let maximumTimes = 12
    private static let minimumBytes = 4 << 20
    /// The most rows with a limit of their own.
    private static let maximumCounted = 1 << 16
    /// The bytes that may be read in vain for all rows: this multiple of the files' bytes, and this minimum.
    private static let maximumTimesOfAll = 16
    private static let minimumBytesOfAll = 256 << 20

    private let images: PageImages
    private var appraisal: RowAppraisal
    private let countsAll: Bool
    private var spent: [Element: Int] = [:]
    private let maximum: Int
    /// Bytes that were read in vain.
    private(set) var inVain = 0
    /// Whether a row was not read because the limit was reached.
    private(set) var isCutShort = false

    /// The bytes that may be read in vain if the files have `size` bytes.
    static func limit(_ size: Int) -> Int { size * maximumTimesOfAll + minimumBytesOfAll }

    /// Reads rows from the page images of two files.
    ///
    /// - Parameters:
    ///   - images: The files.
    ///   - appraisal: Judges the rows.
    ///   - countsAll: Whether rows count as committed wherever they are stored.
    init(images: PageImages, appraisal: consuming RowAppraisal, countsAll: Bool = false) {
        self.images = images
        self.appraisal = appraisal
        self.countsAll = countsAll
        maximum = Self.limit(images.size)
    }

    /// The row at a place; nil if the bytes do not have the shape of a row, or if `known` already has the row complete.
    ///
    /// If the rest of a row is in other pages, the images of several moments are tried until the whole row opens.
    mutating func find(
        at place: PlaceList.Place,
        besides known: LaneSalvage
    ) throws(StoreError) -> FoundRow? {
        guard let payload = FoundPayload(place, images) else { return nil }
        let isCommitted = countsAll || images.isCommitted(place)
        let seal = SealedRow(id: payload.id, seal: payload.seal, meta: [], body: [])
        guard let element = try appraisal.element(of: seal), !known.has(element, isCommitted: isCommitted)
        else { return nil }
        var best = FoundRow(
            id: payload.id,
            element: element,
            name: nil,
            revision: 0,
            isWhole: false,
            origin: .damaged(place: place.number),
            isCommitted: isCommitted
        )
        for moment in payload.moments(images) where mayRead(payload, element) {
            var count = 0
            if let row = try appraise(payload, at: moment, best, &count), row.isWhole || best.name == nil {
                best = row
            }
            if best.isWhole { break }
            inVain += count
            if spent.count < Self.maximumCounted || spent[element] != nil {
                spent[element, default: 0] += count
            }
        }
        if best.isWhole { spent[element] = nil }
        return best
    }

    /// The row at a moment; nil if its meta does not open.
    private mutating func appraise(
        _ payload: FoundPayload,
        at moment: PageImages.Moment,
        _ bare: FoundRow,
        _ count: inout Int
    ) throws(StoreError) -> FoundRow? {
        guard let row = payload.row(at: moment, withBody: false, images, &count),
            let info = try appraisal.info(row)
        else { return nil }
        var isWhole = false
        if let row = payload.row(at: moment, withBody: true, images, &count) {
            isWhole = try appraisal.isBodyGenuine(row, revision: info.revision)
        }
        return FoundRow(
            id: bare.id,
            element: bare.element,
            name: SalvagedName(info.id, label: info.label),
            revision: info.revision,
            isWhole: isWhole,
            origin: bare.origin,
            isCommitted: bare.isCommitted
        )
    }

    /// Whether a row may be read once more.
    private mutating func mayRead(_ payload: FoundPayload, _ element: Element) -> Bool {
        if payload.isLocal { return true }
        guard inVain < maximum else {
            isCutShort = true
            return false
        }
        return spent[element] ?? 0 < max(Self.maximumTimes * payload.count, Self.minimumBytes)
    }

    /// The row at a place that was found complete, read again with its body.
    mutating func whole(at place: PlaceList.Place, revision: Revision) throws(StoreError) -> SealedRow? {
        guard let payload = FoundPayload(place, images) else { return nil }
        var count = 0
        // A row in one page can be read in only one way, and that was found right.
        if payload.isLocal { return payload.row(at: .file, withBody: true, images, &count) }
        for moment in payload.moments(images) {
            guard let row = payload.row(at: moment, withBody: true, images, &count),
                try appraisal.info(row) != nil,
                try appraisal.isBodyGenuine(row, revision: revision)
            else { continue }
            return row
        }
        return nil
    }

    /// Judges a row of a backup.
    mutating func appraise(_ row: SealedRow, from origin: FoundRow.Origin) throws(StoreError) -> FoundRow? {
        guard let info = try appraisal.info(row), let element = try appraisal.element(of: row) else {
            return nil
        }
        return FoundRow(
            id: row.id,
            element: element,
            name: SalvagedName(info.id, label: info.label),
            revision: info.revision,
            isWhole: try appraisal.isBodyGenuine(row, revision: info.revision),
            origin: origin
        )
    }
}
