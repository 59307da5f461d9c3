package import VaultCrypto

/// The bytes of a whole state, which a snapshot cuts into slices.
package enum StateStream {
    /// Writes a state; the objects come one by one, so that they need not be in memory at once.
    package struct Writer: ~Copyable {
        private var pending: LogWriter
        private var left: Int
        private var last: ObjectID?
        private let sliceSize: Int
        private var written = 0

        /// Begins with the machines of a state.
        ///
        /// - Parameters:
        ///   - state: whose objects will be added.
        ///   - sliceSize: bytes of each slice but the last, at most `LogLimits.part`.
        /// - Throws: `outOfMemory`.
        package init(_ state: LogState, sliceSize: Int = LogLimits.part) throws(LogError) {
            pending = try Self.head(state)
            self.sliceSize = min(max(sliceSize, 1), LogLimits.part)
            left = state.objectCount
        }

        private static func head(_ state: LogState) throws(LogError) -> LogWriter {
            var head = try LogWriter()
            try head.number(UInt16(truncatingIfNeeded: state.members.count))
            for member in state.sortedMembers { try head.raw(member.encoded) }
            try head.number(UInt16(truncatingIfNeeded: state.former.count))
            for keeper in state.sortedFormer { try head.raw(keeper.encoded) }
            try head.number(UInt32(truncatingIfNeeded: state.objectCount))
            return head
        }

        /// Adds the next object, ascending by ids, and gives the slices that are full.
        ///
        /// - Throws: `malformed` for one too many or out of order; `logTooLarge`; `outOfMemory`.
        package mutating func add(
            _ object: SharedObject,
            place: UInt64
        ) throws(LogError) -> [Secret] {
            guard left > 0, last.map({ $0 < object.id }) ?? true else { throw LogError(.malformed) }
            left -= 1
            last = object.id
            try pending.number(place)
            try pending.raw(object.encoded)
            return pending.count < sliceSize ? [] : try slices(isLast: false)
        }

        /// The slices that are left, once all objects are added; together there is at least one.
        ///
        /// - Throws: `malformed` if objects are missing; `outOfMemory`.
        package mutating func finish() throws(LogError) -> [Secret] {
            guard left == 0 else { throw LogError(.malformed) }
            return try slices(isLast: true)
        }

        private mutating func slices(isLast: Bool) throws(LogError) -> [Secret] {
            written += pending.count
            guard written <= LogLimits.stream else { throw LogError(.logTooLarge) }
            var full = try LogWriter()
            swap(&full, &pending)
            let whole = try full.content()
            var all: [Secret] = []
            var start = 0
            while whole.count - start >= sliceSize || isLast && start < whole.count {
                let end = min(start + sliceSize, whole.count)
                let range = start..<end
                all.append(try primitives { () throws(CryptoError) in try whole.part(range) })
                start = end
            }
            if start < whole.count {
                let rest = start..<whole.count
                try pending.raw(try primitives { () throws(CryptoError) in try whole.part(rest) })
                written -= whole.count - start
            }
            return all
        }
    }

    /// Reads a state slice by slice.
    package struct Reader {
        private var state: LogState
        private var rest: Secret?
        private var left: Int?
        private var last: ObjectID?
        private var count = 0

        package init(log: LogID) { state = LogState(log: log) }

        /// Takes the next slice, and gives the objects that became whole, each with the place of its last put.
        ///
        /// - Throws: `logTampered`, `newerEntry`, `nameTaken`, `logTooLarge`, `outOfMemory`.
        package mutating func take(
            _ slice: Secret
        ) throws(LogError) -> [(place: UInt64, object: SharedObject)] {
            count += slice.count
            guard count <= LogLimits.stream else { throw LogError(.logTooLarge) }
            let whole: Secret
            if let rest {
                whole = Secret(
                    try primitives { () throws(CryptoError) in try SecretBytes.joined(rest, slice) }
                )
            } else {
                whole = slice
            }
            var reader = LogReader(whole)
            var all: [(place: UInt64, object: SharedObject)] = []
            if left == nil {
                var ahead = reader
                guard let people = try Self.people(&ahead) else { return try wait(for: reader, in: whole) }
                for member in people.members { state.load(member) }
                for keeper in people.former { state.load(keeper) }
                left = people.objects
                reader = ahead
            }
            while let objects = left, objects > 0, let size = Self.objectSize(reader),
                size <= reader.remaining
            {
                let place = try reader.uint64()
                guard try reader.byte() == SharedObject.operation else { throw LogError(.newerEntry) }
                let object = try SharedObject(&reader, in: whole)
                try object.checkIdentity()
                guard last.map({ $0 < object.id }) ?? true, place > 0 else { throw LogError(.logTampered) }
                last = object.id
                left = objects - 1
                state.set(
                    LogState.Line(
                        kind: object.kind,
                        name: object.name,
                        place: place,
                        digest: try object.digest()
                    ),
                    for: object.id
                )
                all.append((place, object))
            }
            _ = try wait(for: reader, in: whole)
            return all
        }

        /// The whole state.
        ///
        /// - Throws: `logTampered` if something is missing or left over; what the check of a state throws.
        package consuming func finish() throws(LogError) -> LogState {
            guard left == 0, rest == nil else { throw LogError(.logTampered) }
            try state.check()
            state.settle()
            return state
        }

        /// Keeps what is not whole yet; it is never longer than the longest object.
        private mutating func wait(
            for reader: LogReader,
            in whole: Secret
        ) throws(LogError) -> [(place: UInt64, object: SharedObject)] {
            guard reader.remaining <= LogLimits.content + 4_096 + LogLimits.part else {
                throw LogError(.logTampered)
            }
            let range = reader.position..<whole.count
            rest = range.isEmpty ? nil : try primitives { () throws(CryptoError) in try whole.part(range) }
            return []
        }

        /// The machines in front of the objects; nil if they are not whole yet.
        private static func people(
            _ reader: inout LogReader
        ) throws(LogError) -> (members: [Member], former: [FormerKeeper], objects: Int)? {
            guard reader.remaining >= 2 else { return nil }
            var members: [Member] = []
            for _ in 0..<(try reader.checked(try reader.uint16(), limit: LogLimits.machines)) {
                guard let size = memberSize(reader), size <= reader.remaining else { return nil }
                let member = try Member(&reader)
                guard members.last.map({ $0.id < member.id }) ?? true else { throw LogError(.logTampered) }
                members.append(member)
            }
            guard reader.remaining >= 2 else { return nil }
            let count = try reader.checked(try reader.uint16(), limit: LogLimits.former)
            guard reader.remaining >= count * 128 + 4 else { return nil }
            var former: [FormerKeeper] = []
            for _ in 0..<count {
                let keeper = try FormerKeeper(&reader)
                guard former.last.map({ $0.id < keeper.id }) ?? true else { throw LogError(.logTampered) }
                former.append(keeper)
            }
            return (members, former, try reader.checked(try reader.uint32(), limit: LogLimits.objects))
        }

        /// Bytes of the next member; nil if not even its length is there.
        private static func memberSize(_ reader: LogReader) -> Int? {
            let head = 16 + 32 + 32 + 1 + 8 + 16 + 64
            var ahead = reader
            guard (try? ahead.take(head)) != nil, let name = try? ahead.uint16() else { return nil }
            return head + 2 + Int(name)
        }

        /// Bytes of the next object with its place; nil if not even its lengths are there.
        private static func objectSize(_ reader: LogReader) -> Int? {
            let head = 8 + 1 + 1 + 16 + 8 + 8
            var ahead = reader
            guard (try? ahead.take(head)) != nil, let name = try? ahead.uint16(),
                (try? ahead.take(Int(name))) != nil, let content = try? ahead.uint32()
            else { return nil }
            return head + 2 + Int(name) + 4 + Int(content)
        }
    }
}
