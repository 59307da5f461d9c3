/// What may happen to machines that share a log, or to the server between them.
package enum MachinesStep: Hashable, Sendable, CustomStringConvertible {
    /// A person changes one of two fields of a record.
    case edit(Int, record: Int, field: Int)
    /// A person deletes a record.
    case delete(Int, record: Int)
    /// A person gives a record the name that others may have given to another.
    case rename(Int, record: Int)
    /// What is new becomes an entry, durable and not sent.
    case write(Int)
    /// The entry is sent; nothing is heard of it.
    case send(Int)
    /// Only the first of several entries gets out.
    case sendPart(Int)
    /// The next entry is read and taken, or a whole segment.
    case read(Int)
    /// A keeper removes a machine.
    case remove(Int, Int)
    /// A keeper lets the last machine in.
    case admit(Int)
    /// The last machine reads the log for the first time.
    case join
    /// A keeper begins a compaction; its parts follow with its writes.
    case compact(Int)
    /// The server forgets what lies before the newest compaction that a keeper sees whole.
    case trim(Int)
    /// The vault is copied.
    case backup(Int)
    /// The copy is put back; the file beside the vault stays.
    case restore(Int)
    /// The server shows an entry that it once got, by its number.
    case show(Int, Int)
    /// The server shows a compaction that a removed machine forges.
    case forge(Int)

    package var description: String {
        switch self {
        case .edit(let who, let record, let field): "\(who).edit(\(record),\(field))"
        case .delete(let who, let record): "\(who).delete(\(record))"
        case .rename(let who, let record): "\(who).rename(\(record))"
        case .write(let who): "\(who).write"
        case .send(let who): "\(who).send"
        case .sendPart(let who): "\(who).sendPart"
        case .read(let who): "\(who).read"
        case .remove(let who, let other): "\(who).remove(\(other))"
        case .admit(let who): "\(who).admit"
        case .join: "join"
        case .compact(let who): "\(who).compact"
        case .trim(let who): "\(who).trim"
        case .backup(let who): "\(who).backup"
        case .restore(let who): "\(who).restore"
        case .show(let who, let entry): "show(\(entry))→\(who)"
        case .forge(let who): "forge→\(who)"
        }
    }
}

/// A broken promise.
package enum MachinesFlaw: String, Hashable, Sendable, CaseIterable {
    /// A machine wrote below a place that it had seen.
    case wroteBelowAnchor = "rollback"
    /// A machine signed two entries behind one.
    case signedTwice = "signed-twice"
    /// What a person changed is gone, and no conflict tells of it.
    case changeLost = "change-lost"
    /// A removed machine opens what came later.
    case removedReads = "removed-reads"
    /// A machine took what no member wrote.
    case forgedTaken = "forged-taken"
    /// Two machines with one hash at one place see two states.
    case comparisonWrong = "comparison-wrong"
    /// Two objects have one name.
    case nameTwice = "name-twice"
    /// After an honest end machines differ.
    case statesDiffer = "states-differ"
    /// A machine cannot go on.
    case stuck
    /// A secret that a machine holds opens what was wiped.
    case notWiped = "not-wiped"
}

/// Mistakes that the walks must find, put around the product's rules from outside.
package enum MachinesMistake: String, CaseIterable, Sendable {
    /// A restored vault is believed up to its own head.
    case forgetsAnchor = "forgets-anchor"
    /// An entry is made anew each time it is sent.
    case signsAgain = "signs-again"
    /// One's own entry is merged like any other.
    case mergesOwn = "merges-own"
    /// Records are compared as a whole.
    case wholeRecords = "whole-records"
    /// A machine is let in while a compaction is not whole.
    case admitsEarly = "admits-early"
    /// The keys of past epochs are kept.
    case keepsKeys = "keeps-keys"
    /// The server is trimmed before a compaction is whole.
    case trimsEarly = "trims-early"
    /// The chain list of a compaction is not taken over.
    case forgetsChain = "forgets-chain"
    /// An author of a snapshot needs no certificate.
    case noCertificates = "no-certificates"
    /// A machine that joins is content with the anchor in the list of a snapshot.
    case anchorInList = "anchor-in-list"
    /// The index is changed when an entry is sent.
    case indexWhenSent = "index-when-sent"
    /// A snapshot overwrites what was changed here.
    case overwrites
    /// One writes behind a removal.
    case writesBehindRemoval = "writes-behind-removal"
    /// What loses is not kept.
    case forgetsLoss = "forgets-loss"
    /// What the log deletes goes, although it was changed here.
    case deletesChanges = "deletes-changes"
    /// A record keeps its name, although the log has it for another.
    case keepsName = "keeps-name"
}
