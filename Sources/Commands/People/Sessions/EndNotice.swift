internal import HSIP
internal import Presentation
internal import System
internal import Text

/// The notice of an end.
enum EndNotice {
    /// Asks before every session with a contact ends.
    ///
    /// - Throws: `refused`.
    static func ask(about alias: String, _ context: Context) throws {
        let shown = context.output.display.name(alias)
        guard try context.agrees("End every session with \(shown)? This cannot be undone.") else {
            throw ConsoleError.refused
        }
    }

    /// Prints the notice, or says why no notice could be made; gives back its JSON.
    static func deliver(
        _ code: ExchangeCode?,
        of alias: String,
        _ context: Context,
        _ delivery: CodeDelivery
    ) throws -> JSONValue {
        guard let code else {
            context.output.note("there was no key left that could tell them so")
            return .null
        }
        return try delivery.hand(code, to: alias, isCached: false)
    }
}
