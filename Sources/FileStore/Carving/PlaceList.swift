internal import RecordStore

/// The places of possible rows, by the lane of their ids: five bytes for each, so ten million places need 50 MB.
struct PlaceList {
    /// A position in the damaged file or in its log.
    struct Place: Equatable {
        let isInLog: Bool
        let offset: Int

        /// The place as a number below 2^40.
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
    /// The number of places.
    private(set) var count = 0

    /// Adds a place.
    ///
    /// - Throws: `RepairRefusal.tooManyRows`.
    mutating func add(_ place: Place, lane: Int) throws(RepairRefusal) {
        guard count < Self.maximum else { throw .tooManyRows }
        count += 1
        // An array that doubles its capacity would need twice the memory.
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
