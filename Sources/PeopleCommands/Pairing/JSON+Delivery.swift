internal import Console
internal import HSIP

extension JSONValue {
    /// A code for a peer, and what became of it here.
    static func code(
        _ code: ExchangeCode,
        contact: String?,
        isCached: Bool,
        _ delivered: CodeDelivery.Result
    ) -> JSONValue {
        .code(
            code,
            contact: contact,
            isCached: isCached,
            image: delivered.image,
            isCopied: delivered.isCopied
        )
    }
}
