internal import RecordStore

/// Where rows may lie, by the lane of their ids: five bytes a place, so that ten million of them are 50 MB.
struct PlaceList {
    /// A byte in the damaged file or in its log.
    struct Place: Equatable {
        let isInLog: Bool
        let offset: Int

        /// As a number below 2^40.
        var number: UInt64 { UInt64(offset) << 1 | (isInLog ? 1 : 0) }

        init(isInLog: Bool, offset: Int) {
            self.isInLog = isInLog
            self.offset = offset
        }

        init(number: UInt64) {
            isInLog = number & 1 == 1
            offset = Int(number >> 1)
        }
    }

    /// The most places.
    static let maximum = 10_000_000
    private static let size = 5
    private static let step = 16_384

    private var lanes = [[UInt8]](repeating: [], count: HeadContent.laneCount)
    /// How many there are.
    private(set) var count = 0

    /// Adds a place.
    ///
    /// - Throws: `RepairRefusal.tooManyRows`.
    mutating func add(_ place: Place, lane: Int) throws(RepairRefusal) {
        guard count < Self.maximum else { throw .tooManyRows }
        count += 1
        // An array that doubles would have room for twice as many.
        if lanes[lane].capacity - lanes[lane].count < Self.size {
            lanes[lane].reserveCapacity(lanes[lane].count + Self.step)
        }
        let number = place.number
        for shift in stride(from: 8 * (Self.size - 1), through: 0, by: -8) {
            lanes[lane].append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }

    /// The places of a lane, in the order in which they were added.
    subscript(lane: Int) -> PlacesOfLane { PlacesOfLane(bytes: lanes[lane]) }

    /// The places of one lane.
    struct PlacesOfLane: Sequence, IteratorProtocol {
        fileprivate let bytes: [UInt8]
        private var start = 0

        fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func next() -> Place? {
            guard start < bytes.count else { return nil }
            var number: UInt64 = 0
            for index in start..<start + PlaceList.size { number = number << 8 | UInt64(bytes[index]) }
            start += PlaceList.size
            return Place(number: number)
        }
    }
}
