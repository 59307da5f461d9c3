package import VaultCrypto

/// A refusal, with the place in the log and the author of the entry where they are known.
///
/// What is refused has changed nothing.
public struct LogError: Error, Hashable, Sendable, Codable {
    /// Why, by the names of Schemas/errors.json.
    public enum Reason: String, Hashable, Sendable, CaseIterable, Codable {
        /// Bytes that no member wrote like this, or not for this place.
        case logTampered
        /// An entry behind another one than the one that this machine took.
        case logForked
        /// The log ends before a place that this machine has seen.
        case logBehind
        /// Too far behind to tell whether it is the same log.
        case historyGap
        /// The author of an entry sees another state behind it.
        case stateDiffers
        /// The log has an entry of a later time of this vault: the vault and its anchor were put back.
        case vaultBehindLog
        /// An entry of this machine that it did not write: there are two of it.
        case machineCloned
        /// This machine is removed, or a rekey has no box for it.
        case machineRevoked
        /// A role does not allow it.
        case notAllowed
        /// No keeper would be left.
        case lastKeeper
        /// Two objects of a kind, or two machines, would have one name.
        case nameTaken
        /// More than a fifth of all objects would go.
        case massRemoval
        /// A version, type, flag or operation of later programs.
        case newerEntry
        /// A signature is not that of who it says.
        case badSignature
        /// A public key of low order.
        case badKey
        /// Not the frame of an entry, or not a value that can be written.
        case malformed
        /// More than a limit of section 8 allows.
        case logTooLarge
        /// The log begins behind the place that the ADMIT names.
        case admitOutdated
        /// Locked memory was not to be had.
        case outOfMemory
        /// This vault shares no log.
        case noLog
        /// This vault shares a log already, or waits to join one.
        case logExists
        /// An ADMIT answers another JOIN than this machine's.
        case otherJoin
        /// A person typed other digits than the code has.
        case numberDiffers
        /// No machine of the log has this name.
        case unknownMachine
        /// The machine of a JOIN is in the log already, and has written to it.
        case alreadyMember
        /// Records of the log in this vault are missing, for example after a repair.
        case recordsLost
        /// The other machine is further in the log than this one.
        case headAhead
        /// No conflict is about this name.
        case noConflict
        /// Another machine was faster ten times.
        case logBusy
    }

    /// Why.
    public let reason: Reason
    /// The entry that it is about.
    public private(set) var place: UInt64?
    /// Who wrote it; nil as long as that is not known.
    package private(set) var author: MachineID?
    /// What people call the author.
    public private(set) var authorName: String?

    /// A refusal.
    package init(_ reason: Reason, at place: UInt64? = nil, by author: MachineID? = nil) {
        self.reason = reason
        self.place = place
        self.author = author
    }

    /// The same with a place and an author, where it has none yet.
    func at(_ place: UInt64, by author: MachineID? = nil) -> LogError {
        LogError(reason, at: self.place ?? place, by: self.author ?? author)
    }

    /// The same with the name of its author, if the book knows it.
    package func named(by book: LogBook?) -> LogError {
        var error = self
        error.authorName = authorName ?? author.flatMap { book?.state.members[$0]?.name }
        return error
    }
}

extension LogError: ContentFailure {
    package static var contentEnds: LogError { LogError(.logTampered) }

    package static func fieldTooLong(limit: Int) -> LogError { LogError(.logTampered) }

    /// What a failure of a primitive means to the log.
    package init(_ error: CryptoError) {
        switch error {
        case .outOfMemory: self.init(Reason.outOfMemory)
        case .badPublicKey: self.init(Reason.badKey)
        case .authenticationFailed, .wrongSize, .parametersOutOfBounds, .malformedText, .checkFailed:
            self.init(Reason.logTampered)
        }
    }
}

/// Runs primitives, and says what their failure means to the log.
func primitives<R: ~Copyable>(_ body: () throws(CryptoError) -> R) throws(LogError) -> R {
    do { return try body() } catch { throw LogError(error) }
}
