package import System
internal import VaultCrypto

/// A line of entries 1, 2, 3 … that several machines share, kept by somebody who holds no key (Schemas/carriers.md
/// section 2): what is promised, whatever keeps it.
///
/// Entries are sealed bytes here, and what a carrier says is not believed: the program that opens the entries checks them. A
/// carrier reaches the network through `git` or `curl`, or a folder; it imports nothing that could hold a key.
package protocol LogCarrier {
    /// The oldest place and the newest.
    func range() throws(CarrierError) -> LogRange

    /// The entries from a place on, as many as the limits allow, and the range as far as it is known.
    ///
    /// No entries: at this moment there is nothing from that place on, or the place was trimmed; the range says which.
    /// After reading on until there are none, everything is read.
    ///
    /// No more than `bytes` are returned at once, at most 64 MiB, but always one entry.
    func read(from place: UInt64, bytes: Int) throws(CarrierError) -> LogPage

    /// The same after the newest place was asked for, so that the range is the present one.
    func latest(from place: UInt64, bytes: Int) throws(CarrierError) -> LogPage

    /// Puts entries at a place and behind it, all or none, if the place is free and the one before it is not.
    ///
    /// Place 1 founds the log. So a remote that lost everything gets no new beginning from a machine that goes on.
    ///
    /// The same entries may be created again after `unknown`.
    ///
    /// - Throws: only where nothing was written: `gap` when the place before is free too; `tooLarge`, `refused`, `full`,
    ///   `unreachable`.
    func create(_ entries: [[UInt8]], at place: UInt64) throws(CarrierError) -> CreateOutcome

    /// The same, but only if the caller knows the entry at the place before; if another one is there, `taken`.
    func create(
        _ entries: [[UInt8]],
        at place: UInt64,
        after isKnown: ([UInt8]) -> Bool
    ) throws(CarrierError) -> CreateOutcome

    /// Removes the entries before a place that is there; nothing needs that but room.
    func trim(below place: UInt64) throws(CarrierError) -> TrimOutcome
}

extension LogCarrier {
    package func create(
        _ entries: [[UInt8]],
        at place: UInt64,
        after isKnown: ([UInt8]) -> Bool
    ) throws(CarrierError) -> CreateOutcome {
        guard let last = try read(from: place - 1, bytes: 1).entries.first, isKnown(last) else {
            return .taken
        }
        return try create(entries, at: place)
    }

    package func latest(from place: UInt64, bytes: Int) throws(CarrierError) -> LogPage {
        let range = try range()
        guard range.contains(place) else { return LogPage(range) }
        return LogPage(range, try read(from: place, bytes: bytes).entries)
    }
}

/// What a carrier needs of the machine that it runs on.
package struct CarrierHome {
    /// The absolute path of git's copy of the remote; only one process at a time uses it.
    package let mirror: String
    /// Runs `git` and `curl`.
    package let runner: HelperRunner
    /// The signals that end a helper program.
    package let signals: SignalWatch?
    /// The login to etcd.
    package let credentials: EtcdCredentials?

    /// The parts of one sync.
    package init(
        mirror: String,
        runner: HelperRunner,
        signals: SignalWatch? = nil,
        credentials: EtcdCredentials? = nil
    ) {
        self.mirror = mirror
        self.runner = runner
        self.signals = signals
        self.credentials = credentials
    }
}

extension CarrierAddress {
    /// The carrier of a log at this address.
    ///
    /// - Throws: `badAddress` for etcd without credentials; `synchronized`.
    package func carrier(of logID: [UInt8], _ home: CarrierHome) throws(CarrierError) -> any LogCarrier {
        switch kind {
        case .git:
            try GitCarrier(
                self,
                logID: logID,
                mirror: home.mirror,
                runner: home.runner,
                signals: home.signals
            )
        case .etcd: try etcd(home)
        case .folder: try FolderCarrier(self, logID: logID)
        }
    }

    /// The ids of the logs that are at this address, 16 bytes each: what `setup sync` asks before it founds one.
    ///
    /// - Throws: `unreachable`, `refused`, `notTrusted` and the like; `synchronized`.
    package func logs(_ home: CarrierHome) throws(CarrierError) -> [[UInt8]] {
        switch kind {
        case .git:
            return try GitCarrier.logs(
                at: self,
                mirror: home.mirror,
                runner: home.runner,
                signals: home.signals
            )
        case .etcd:
            // A prefix has one log, which its entries name.
            let carrier = try etcd(home)
            var page = try carrier.read(from: 1, bytes: 1)
            // A log that was trimmed begins later.
            if page.range.oldest > 1 { page = try carrier.read(from: page.range.oldest, bytes: 1) }
            guard let first = page.entries.first else { return [] }
            guard first.count >= 24 else { throw .damaged(.foreign(page.range.oldest.placeName)) }
            return [Array(first[8..<24])]
        case .folder: return try FolderCarrier.logs(at: self)
        }
    }

    private func etcd(_ home: CarrierHome) throws(CarrierError) -> EtcdCarrier {
        guard let credentials = home.credentials else { throw .badAddress }
        return try EtcdCarrier(self, credentials, runner: home.runner, signals: home.signals)
    }
}

/// The log that a branch or folder `hsip-<log id>` is of; nil for another name.
func logID(of name: String) -> [UInt8]? {
    guard name.hasPrefix("hsip-"), let id = Hex.decode(String(name.dropFirst(5))), id.count == 16,
        "hsip-\(Hex.encode(id))" == name
    else { return nil }
    return id
}

/// What became of entries that were to be put.
package enum CreateOutcome: Equatable, Sendable {
    case created
    /// Somebody else was faster, or the log is not what was known of it: read.
    case taken
    /// The answer was lost: read, and compare.
    case unknown
}

/// What became of a wish for room.
package enum TrimOutcome: Equatable, Sendable {
    case done
    /// The other side keeps everything, for example a protected branch.
    case refused
}

/// Which places are there, without a gap; 0 and 0 in an empty log.
package struct LogRange: Equatable, Sendable {
    package static let empty = LogRange(oldest: 0, newest: 0)

    package let oldest: UInt64
    package let newest: UInt64

    package init(oldest: UInt64, newest: UInt64) {
        (self.oldest, self.newest) = (oldest, newest)
    }

    package var isEmpty: Bool { newest == 0 }

    package func contains(_ place: UInt64) -> Bool { !isEmpty && oldest <= place && place <= newest }
}

/// Entries one behind the other.
package struct LogPage: Equatable, Sendable {
    package let range: LogRange
    package let entries: [[UInt8]]

    package init(_ range: LogRange, _ entries: [[UInt8]] = []) {
        (self.range, self.entries) = (range, entries)
    }
}

/// Sizes that are checked before memory is taken (Schemas/carriers.md section 2).
package enum CarrierLimits {
    /// Bytes of an entry.
    package static let entry = 1 << 20
    /// Entries that are put at once.
    package static let entriesPut = 60
    /// Their bytes: what etcd takes in a call.
    package static let bytesPut = 5 << 18
    /// Entries that are read at once.
    package static let entriesRead = 64
    /// Their bytes.
    package static let bytesRead = 64 << 20
    /// Places that a log may have at once; it is trimmed long before.
    package static let places = 1 << 18
    /// Bytes of a file that a helper program may make.
    package static let helperFile = 512 << 20

    /// - Throws: `tooLarge`; `gap` for a place that no entry can have.
    static func check(_ entries: [[UInt8]], at place: UInt64) throws(CarrierError) {
        guard place > 0, place < UInt64(Int64.max) else { throw .gap }
        guard !entries.isEmpty, entries.count <= entriesPut,
            entries.allSatisfy({ !$0.isEmpty && $0.count <= entry }),
            entries.reduce(0, { $0 + $1.count }) <= bytesPut
        else { throw .tooLarge }
    }

    /// How many bytes are read at once where so many are asked for.
    static func bytes(_ wanted: Int) -> Int { max(1, min(wanted, bytesRead)) }
}

extension UInt64 {
    /// A place as names have it: 16 hexadecimal digits, so that names are in the order of places.
    var placeName: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The place that a name says; nil for any other name.
    init?(placeName name: some StringProtocol) {
        // No log gets to half of all numbers, so a place can be counted on from.
        guard name.utf8.count == 16, let place = UInt64(name, radix: 16), place > 0,
            place < UInt64(Int64.max), place.placeName == name
        else { return nil }
        self = place
    }
}
