internal import RecordStore
internal import VaultCrypto

/// A row that was found by its shape, in its own page and then in as many overflow pages as its header says.
struct FoundPayload {
    let id: RowID
    let seal: [UInt8]
    private let place: PlaceList.Place
    private let shape: RecordShape
    /// The bytes of the row in its own page.
    private let start: [UInt8]
    /// The first overflow page; 0 if there is none.
    private let next: UInt32

    /// Reads the row whose header begins at a position; nil if there is no row any more.
    init?(_ place: PlaceList.Place, _ images: PageImages) {
        let maximum = 1_002 + 4
        let bytes = images.bytes(at: place, maximum)
        guard let shape = bytes.withBytes({ RecordShape($0, at: 0) }), shape.local <= maximum,
            let id = RowID(Array(bytes[shape.header..<shape.header + RowID.size]))
        else { return nil }
        self.place = place
        self.shape = shape
        self.id = id
        seal = Array(bytes[shape.header + RowID.size..<shape.header + RecordShape.fixed])
        start = Array(bytes[..<shape.local])
        next = Self.number(bytes[shape.local..<min(shape.local + 4, bytes.count)])
    }

    /// Whether the whole row is in its page, so that it can be read in only one way.
    var isLocal: Bool { shape.payload == shape.local }

    /// The moments at which to read the rest of the row.
    func moments(_ images: PageImages) -> [PageImages.Moment] {
        isLocal ? [.file] : images.moments(for: place)
    }

    /// Bytes of the whole row, according to its header.
    var count: Int { shape.payload }

    /// The row at a moment, with or without its body; nil if a page of the row is missing.
    ///
    /// `spent` grows by the bytes of the pages that were read.
    func row(
        at moment: PageImages.Moment,
        withBody: Bool,
        _ images: PageImages,
        _ spent: inout Int
    ) -> SealedRow? {
        let metaEnd = shape.header + RecordShape.fixed + shape.meta
        guard let bytes = read(withBody ? shape.payload : metaEnd, at: moment, images, &spent) else {
            return nil
        }
        return SealedRow(
            id: id,
            seal: seal,
            meta: Array(bytes[shape.header + RecordShape.fixed..<metaEnd]),
            body: withBody ? Array(bytes[metaEnd..<shape.payload]) : []
        )
    }

    private func read(
        _ count: Int,
        at moment: PageImages.Moment,
        _ images: PageImages,
        _ spent: inout Int
    ) -> [UInt8]? {
        var (bytes, page) = (start, next)
        while bytes.count < count {
            guard let place = images.place(of: page, at: moment) else { return nil }
            let image = images.bytes(at: place, 4 + RecordShape.overflow)
            page = Self.number(image[0..<4])
            spent += image.count
            bytes += image[4..<4 + min(RecordShape.overflow, shape.payload - bytes.count)]
        }
        return bytes
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
