internal import RecordStore
internal import VaultCrypto

/// Reads rows where they were found, and judges them.
struct RowFinder: ~Copyable {
    private let images: PageImages
    private var appraisal: RowAppraisal

    init(images: PageImages, appraisal: consuming RowAppraisal) {
        self.images = images
        self.appraisal = appraisal
    }

    /// What lies at a place; nil where it has not the shape of a row.
    ///
    /// Where the rest of a row lies in other pages, the images of several moments are tried until all of it opens.
    mutating func find(at place: PlaceList.Place) throws(StoreError) -> FoundRow? {
        guard let payload = FoundPayload(place, images) else { return nil }
        let origin = FoundRow.Origin.damaged(place: place.number)
        var best: FoundRow?
        for moment in payload.moments(images) {
            guard let bare = payload.row(at: moment, withBody: false, images),
                let info = try appraisal.info(bare), let element = try appraisal.element(of: bare)
            else { continue }
            var isWhole = false
            if let row = payload.row(at: moment, withBody: true, images) {
                isWhole = try appraisal.isBodyGenuine(row, revision: info.revision)
            }
            best = FoundRow(
                id: payload.id,
                element: element,
                name: SalvagedName(info.id, label: info.label),
                revision: info.revision,
                isWhole: isWhole,
                origin: origin
            )
            if isWhole { return best }
        }
        if let best { return best }
        let bare = SealedRow(id: payload.id, seal: payload.seal, meta: [], body: [])
        guard let element = try appraisal.element(of: bare) else { return nil }
        return FoundRow(
            id: payload.id,
            element: element,
            name: nil,
            revision: 0,
            isWhole: false,
            origin: origin
        )
    }

    /// The row at a place that was found whole, once more and with its body.
    mutating func whole(at place: PlaceList.Place, revision: Revision) throws(StoreError) -> SealedRow? {
        guard let payload = FoundPayload(place, images) else { return nil }
        // There is one way to read it, and that was found right.
        if payload.isLocal { return payload.row(at: .file, withBody: true, images) }
        for moment in payload.moments(images) {
            guard let row = payload.row(at: moment, withBody: true, images), try appraisal.info(row) != nil,
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
