internal import HSIP

/// One vault with its clock, and what really happened to it, which no restore undoes.
struct Vault: Hashable, Sendable {
    /// A message key and one of its numbers.
    struct Use: Hashable, Sendable {
        let key: [UInt8]
        let number: UInt16
    }

    var disk = Disk()
    var backup: Disk?
    /// Where the clock stands, Unix seconds.
    var clock: UInt64
    /// How much of each bound is used.
    var used = [UInt8](repeating: 0, count: Cost.allCases.count)
    /// What was sealed.
    var uses: Set<Use> = []
    /// The messages that were read and said to be new, without any doubt.
    var opened: Set<Int> = []
    /// Keys that were refused because their time is over.
    var overdue: Set<[UInt8]> = []
    /// Pairings that ended, as far as the records can know.
    var ended: Set<PairingID> = []
    /// The same when the backup was kept.
    var endedAtBackup: Set<PairingID> = []
    /// Identities that are known to be ended.
    var gone: Set<PeerID> = []
    /// The same when the backup was kept.
    var goneAtBackup: Set<PeerID> = []
    /// Its program is older than suite 02.
    var isOld = false
    /// Contacts under whose confirmed keys suite 02 was in use, until a person says that their program is old.
    var raised: Set<PeerID> = []
    /// The same when the backup was kept.
    var raisedAtBackup: Set<PeerID> = []
    /// Contacts who were compared, and did not pair again since.
    var compared: Set<PeerID> = []
    /// The same when the backup was kept.
    var comparedAtBackup: Set<PeerID> = []
    /// Pairings of fresh offers, where a mistake has to know them.
    var fresh: Set<PairingID> = []
    /// Its records were put back, or lost, at least once.
    var wasRestored = false
    /// The first promise that it broke.
    var flaw: ActsFlaw?
}

/// A promise that a vault, or two of them, broke.
package enum ActsFlaw: String, Hashable, Sendable {
    case numberTwice = "a key sealed one number twice"
    case overLimit = "a key sealed more than its limit"
    case afterItsEnd = "a message was sealed after the end of its key"
    case overdueAgain = "a key that was refused as expired sealed again"
    case suspectClock = "a message was sealed by a clock far behind its mark"
    case openedTwice = "a message was opened as new twice"
    case wrongSender = "a message was said to be from somebody else"
    case endedLives = "an ended pairing lives again"
    case revokedAnswered = "a code of an ended identity was taken"
    case takenTwice = "a code taken twice changed more than once"
    case restoredShown = "a code of a backup was shown"
    case refusedChanged = "a refusal changed a record"
    case tooMany = "a contact has more than four pairings"
    case unreadable = "a message that the peer cannot read"
    case lowered = "a contact who had suite 02 was led back to suite 01"
    case otherSuite = "a reply of another suite than its code was taken"
    case notCompared = "a contact counts as compared who was not"
}
