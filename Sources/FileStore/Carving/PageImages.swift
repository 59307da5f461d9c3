internal import RecordStore
internal import VaultCrypto

/// The pages of a damaged vault in its file and its log, the newest image first.
///
/// A frame of the log names its page. Frames left from an earlier round of the log are older than the frames of the
/// present round; within a round the later frame is newer. The order only decides what the repair tries first: nothing
/// depends on its truth.
struct PageImages {
    /// The moment up to which images count.
    enum Moment: Equatable {
        case newest
        /// After the commit that wrote this frame.
        case commit(of: Int)
        /// Before the first frame of the log.
        case file
    }

    private static let page = 4_096
    private static let logHeader = 32
    private static let frameHeader = 24
    private static let frame = frameHeader + page
    /// The most frames to remember: the last ones of a log above one gibibyte.
    private static let maximumFrames = 1 << 18

    let file: BlockSource?
    let log: BlockSource?
    /// The frame numbers, the oldest first; and for each frame the index in this order after its commit's
    /// last frame.
    private var order: [UInt32] = []
    private var ends: [UInt32] = []
    /// For each frame, whether its round has a commit at this frame or later.
    private var committed: [Bool] = []
    private var first = 0
    /// Page number and index in the order, ascending.
    private var images: [UInt64] = []

    /// Reads the images of a file and a log.
    init(file: BlockSource?, log: BlockSource?) {
        self.file = file
        self.log = log
        guard let log, log.size >= Self.logHeader + Self.frame else { return }
        let count = (log.size - Self.logHeader) / Self.frame
        var rounds: [UInt64: Int] = [:]
        var frames: [(round: Int, frame: UInt32, page: UInt32, isEnd: Bool)] = []
        first = max(0, count - Self.maximumFrames)
        for frame in first..<count {
            let header = log.bytes(at: Self.logHeader + frame * Self.frame, Self.frameHeader)
            let (page, end) = (Self.number(header[0..<4]), Self.number(header[4..<8]))
            let salt = Self.number(header[8..<16])
            if rounds[salt] == nil { rounds[salt] = rounds.count }
            frames.append((rounds[salt] ?? 0, UInt32(frame), UInt32(page), end != 0))
        }
        frames.sort { ($1.round, $0.frame) < ($0.round, $1.frame) }
        order = frames.map(\.frame)
        ends = [UInt32](repeating: 0, count: frames.count)
        committed = [Bool](repeating: false, count: frames.count)
        var (end, isCommitted) = (frames.count, false)
        for place in frames.indices.reversed() {
            let isLast = place + 1 == frames.count || frames[place + 1].round != frames[place].round
            if isLast { isCommitted = false }
            if frames[place].isEnd { isCommitted = true }
            if isLast || frames[place].isEnd { end = place + 1 }
            ends[Int(frames[place].frame) - first] = UInt32(end)
            committed[Int(frames[place].frame) - first] = isCommitted
        }
        images = frames.enumerated().map { UInt64($1.page) << 32 | UInt64($0) }
        images.sort()
    }

    /// Whether the bytes at a position were committed; after the last commit of a round only an aborted
    /// transaction wrote.
    func isCommitted(_ place: PlaceList.Place) -> Bool {
        guard place.isInLog else { return true }
        let frame = (place.offset - Self.logHeader) / Self.frame - first
        return committed.indices.contains(frame) ? committed[frame] : true
    }

    /// Bytes of file and log together.
    var size: Int { (file?.size ?? 0) + (log?.size ?? 0) }

    /// The moments to try for a row that begins at a position.
    func moments(for place: PlaceList.Place) -> [Moment] {
        guard !images.isEmpty else { return [.file] }
        guard place.isInLog else { return [.newest, .file] }
        return [.newest, .commit(of: (place.offset - Self.logHeader) / Self.frame), .file]
    }

    /// The position of a page's image; nil if there is none.
    func place(of page: UInt32, at moment: Moment) -> PlaceList.Place? {
        guard page > 0 else { return nil }
        if moment != .file, let frame = frame(of: page, before: limit(moment)) {
            return .init(
                isInLog: true,
                offset: Self.logHeader + Int(frame) * Self.frame + Self.frameHeader
            )
        }
        let offset = (Int(page) - 1) * Self.page
        guard let file, offset + Self.page <= file.size else { return nil }
        return .init(isInLog: false, offset: offset)
    }

    /// The bytes at a position, zeros where the file has none.
    func bytes(at place: PlaceList.Place, _ count: Int) -> [UInt8] {
        (place.isInLog ? log : file)?.bytes(at: place.offset, count) ?? [UInt8](repeating: 0, count: count)
    }

    private func limit(_ moment: Moment) -> UInt64 {
        guard case .commit(let frame) = moment, ends.indices.contains(frame - first) else {
            return UInt64(order.count)
        }
        return UInt64(ends[frame - first])
    }

    /// The newest frame with an image of a page, before an index in the order.
    private func frame(of page: UInt32, before limit: UInt64) -> UInt32? {
        let bound = UInt64(page) << 32 | limit
        var (low, high) = (0, images.count)
        while low < high {
            let middle = (low + high) / 2
            if images[middle] < bound { low = middle + 1 } else { high = middle }
        }
        guard low > 0, images[low - 1] >> 32 == UInt64(page) else { return nil }
        return order[Int(images[low - 1] & 0xFFFF_FFFF)]
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
