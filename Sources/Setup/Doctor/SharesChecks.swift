internal import Presentation
internal import RecordStore
internal import Text
internal import VaultKit
internal import VaultLifecycle

/// Shares that contacts hold, beside the key slot that they open.
enum SharesChecks {
    /// A finding for each sharing of which contacts hold words that open nothing here.
    static func findings(_ slots: [SlotInfo], _ vault: any VaultService) async -> [Finding] {
        let open = Set(slots.compactMap { Sharing($0)?.label })
        // What cannot be read of gifts was found elsewhere.
        let gifts = (try? await vault(Operations.gifts, nil, nil)) ?? []
        let lost = gifts.filter { gift in
            gift.isMine && gift.withdrawnAt == nil && gift.current == nil && gift.contact != nil
                && Sharing(label: gift.secret) != nil && !open.contains(gift.secret)
        }
        return Dictionary(grouping: lost, by: \.secret).sorted { $0.key < $1.key }.map { label, gifts in
            let display = Display(isUTF8: true)
            let names = gifts.compactMap(\.contact)
            let first = names.first ?? ""
            return Finding(
                check: .slots,
                state: .notice,
                message: "shares that do not open this vault: \(label), held by "
                    + names.map { display.name($0) }.joined(separator: ", "),
                reason:
                    "the key slot of the shares was removed or never made; they may still open old copies",
                hint: "hsip secret withdraw \(ShellWord.quoted(label)) --from \(ShellWord.quoted(first))"
            )
        }
    }
}
