public import CHSIP
internal import HSIP
internal import Presentation
internal import VaultCrypto
internal import VaultKit

/// Takes a code; see hsip.h.
@c @implementation
public func hsip_accept(
    _ vault: OpaquePointer?,
    _ text: UnsafePointer<CChar>?,
    _ size: Int,
    _ save_as: UnsafePointer<CChar>?,
    _ reply: UnsafeMutablePointer<hsip_bytes>?,
    _ json: UnsafeMutablePointer<hsip_bytes>?
) -> hsip_status {
    unsafe OutputBytes.clear(reply)
    unsafe OutputBytes.clear(json)
    // Of two answers in one place the first could never be given back.
    guard unsafe reply == nil || reply != json else { return Status.of(.usage) }
    return unsafe JSONReply.give("accept", to: json) {
        guard let text = unsafe BorrowedBytes(text, size) else { throw LibraryError.usage }
        let name = try unsafe CText.optional(save_as)
        let handle = try unsafe HandleTable.find(vault)
        guard text.count <= MessageText.longestText else { throw HSIPError.malformed }
        let bytes = text.withBytes { $0.copied() }
        let taken = try handle.call {
            try await CodeTaking(context: handle.context($0), name: name).take(bytes)
        }
        if let code = taken.code { try unsafe OutputBytes.give(Array(code.text.utf8), to: reply) }
        return taken.answer
    }
}
