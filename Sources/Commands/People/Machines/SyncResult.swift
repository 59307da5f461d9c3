internal import Presentation
internal import Text
internal import VaultKit

/// The result of one sync, for a person and for a script.
struct SyncResult {
    /// The name of this machine.
    var machine = ""
    /// The number of accepted changes, by the name of the machine that made them.
    private var received: [String: Int] = [:]
    /// The number of this machine's changes that the log has accepted.
    var sent = 0
    private var conflicts: [String] = []
    private var renamed: [String: String] = [:]
    private var removedElsewhere: [String] = []
    private var hostKeysDiffer: [String: String] = [:]
    private var tooLarge: [String] = []
    private var joined: [String: String] = [:]
    private var gone: [String: String] = [:]
    private var kept = 0
    private var missing = 0
    /// The number of changes that stay here because this machine may only read; nil if it may write.
    private var staying: Int?
    /// The number of deleted objects so far.
    private(set) var deleted = 0

    /// Adds the report about a page of entries.
    mutating func add(_ report: LogReport) {
        received.merge(report.received, uniquingKeysWith: +)
        for name in report.conflicts where !conflicts.contains(name) { conflicts.append(name) }
        renamed.merge(report.renamed) { $1 }
        for name in report.removedElsewhere where !removedElsewhere.contains(name) {
            removedElsewhere.append(name)
        }
        hostKeysDiffer.merge(report.hostKeysDiffer) { $1 }
        joined.merge(report.joined) { $1 }
        gone.merge(report.gone) { $1 }
        (kept, missing, deleted) = (report.kept, report.missing, report.deleted)
    }

    /// Adds the facts about a delivery, such as records that cannot be sent.
    mutating func add(_ delivery: LogDelivery) {
        renamed.merge(delivery.renamed) { $1 }
        tooLarge += delivery.tooLarge.filter { !tooLarge.contains($0) }
        (kept, missing) = (delivery.kept, delivery.missing)
        staying = delivery.isReader ? delivery.count : nil
    }

    /// Prints the result.
    func tell(_ output: Output) {
        func shown(_ name: String) -> String { output.display.cell(name, columns: .max) }
        let isQuiet = sent == 0 && received.values.allSatisfy { $0 == 0 }
        if !isQuiet || joined.isEmpty && gone.isEmpty { output.say(summary(shown)) }
        for (name, keeper) in joined.sorted(by: { $0.key < $1.key }) {
            output.say("\(shown(keeper)) added the machine \(shown(name)).")
        }
        for (name, keeper) in gone.sorted(by: { $0.key < $1.key }) {
            output.say(
                keeper.isEmpty
                    ? "\(shown(name)) left." : "\(shown(keeper)) removed the machine \(shown(name))."
            )
        }
        for name in conflicts {
            output.say("\(shown(name)) changed on both machines: both versions are kept.")
        }
        for (old, new) in renamed.sorted(by: { $0.key < $1.key }) {
            output.say(
                "\(shown(old)) of this machine is \(shown(new)) now: another machine had that name first."
            )
        }
        for name in removedElsewhere {
            output.say("\(shown(name)) was deleted on another machine, but changed here: it stays.")
        }
        for (host, machine) in hostKeysDiffer.sorted(by: { $0.key < $1.key }) {
            output.say(
                "\(shown(host)): \(machine.isEmpty ? "another machine" : shown(machine)) brought another key, and ssh refuses it until you compare: hsip ssh host show \(ShellWord.quoted(host))"
            )
        }
        for name in tooLarge {
            output.say("\(shown(name)) is too large to be shared; it stays on this machine.")
        }
        if kept > 0 {
            let records = kept == 1 ? "1 shared record" : "\(kept) shared records"
            output.say("This version of hsip cannot use \(records); update hsip.")
        }
        if missing > 0 {
            output.say(
                missing == 1
                    ? "A restore lost 1 shared record on this machine; the other machines keep it."
                    : "A restore lost \(missing) shared records on this machine; the other machines keep them."
            )
            output.hint("hsip setup sync --undo  and join again, to get back what is lost")
            output.hint("hsip sync --delete-missing  deletes it on the other machines, too")
        }
        if let staying {
            let own =
                staying == 0
                ? ""
                : staying == 1
                    ? "; 1 change of its own stays here" : "; \(staying) changes of its own stay here"
            output.say("This machine only reads\(own).")
        }
    }

    private func summary(_ shown: (String) -> String) -> String {
        let authors = received.filter { $0.value > 0 }.sorted { $0.key < $1.key }
        let from = authors.enumerated().map { place, author in
            let changes = place > 0 ? "" : author.value == 1 ? " change" : " changes"
            let name = author.key == machine ? "this machine before a restore" : shown(author.key)
            return "\(author.value)\(changes) from \(name)"
        }
        guard !from.isEmpty else {
            return sent == 0 ? "Nothing new." : "Sent \(sent) change\(sent == 1 ? "" : "s")."
        }
        return "Received \(from.joined(separator: ", "))" + (sent == 0 ? "." : "; sent \(sent).")
    }

    /// The `data` of `sync` (Schemas/cli/machine.schema.json).
    var json: JSONValue {
        [
            "received": .integer(Int64(received.values.reduce(0, +))), "sent": .integer(Int64(sent)),
            "from": .list(
                received.sorted { $0.key < $1.key }.map {
                    ["machine": .text($0.key), "changes": .integer(Int64($0.value))]
                }
            ),
            "conflicts": .list(conflicts.map { .text($0) }),
            "renamed": .list(
                renamed.sorted { $0.key < $1.key }.map { ["from": .text($0.key), "to": .text($0.value)] }
            ),
            "removedElsewhere": .list(removedElsewhere.map { .text($0) }),
            "hostKeysDiffer": .list(
                hostKeysDiffer.sorted { $0.key < $1.key }.map {
                    ["host": .text($0.key), "machine": .text($0.value)]
                }
            ),
            "joined": .list(joined.sorted { $0.key < $1.key }.map(Self.machine)),
            "gone": .list(gone.sorted { $0.key < $1.key }.map(Self.machine)),
            "tooLarge": .list(tooLarge.map { .text($0) }), "kept": .integer(Int64(kept)),
            "missing": .integer(Int64(missing)),
        ]
    }

    private static func machine(_ name: String, by keeper: String) -> JSONValue {
        ["machine": .text(name), "by": .optional(keeper.isEmpty ? nil : keeper)]
    }
}
