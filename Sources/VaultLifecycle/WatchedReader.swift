internal import RecordStore
package import System

/// A view that throws `cancelled` once a signal has arrived, so that unfinished work is undone.
final class WatchedReader: RecordReader {
    private let reader: any RecordReader
    private let signals: any Interruption
    /// The signal that ended the reading.
    private(set) var signal: Int32?

    init(_ reader: any RecordReader, _ signals: any Interruption) {
        self.reader = reader
        self.signals = signals
    }

    var floor: UInt64 { reader.floor }
    var generation: UInt64 { reader.generation }

    func find(_ id: RecordID) throws(StoreError) -> Record? {
        try check()
        return try reader.find(id)
    }

    func info(_ id: RecordID) throws(StoreError) -> RecordInfo? {
        try check()
        return try reader.info(id)
    }

    func list(_ kind: RecordKind?, where attributes: Attributes) throws(StoreError) -> [RecordInfo] {
        try check()
        return try reader.list(kind, where: attributes)
    }

    /// Throws if a signal has arrived.
    ///
    /// - Throws: `cancelled`.
    func check() throws(StoreError) {
        if signal == nil { signal = signals.caught }
        if signal != nil { throw .cancelled }
    }
}

/// Tells whether a long act should end.
package protocol Interruption {
    /// The signal that came, if one has; it is returned once.
    var caught: Int32? { get }

    /// Ends the watch.
    func stop()
}

extension SignalWatch: Interruption {}
