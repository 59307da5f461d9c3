internal import CommandKit
internal import Console
internal import SafeText

/// Something in a folder of an import that is no private key: it is not taken, and it is named.
struct SkippedFile {
    /// Why it is not taken; the words of Schemas/cli/ssh-key.schema.json.
    enum Reason: String {
        /// The public half of a key, or a certificate.
        case publicKey
        case noKey
        case tooLarge
        /// A folder, a pipe, a socket or a link that leads nowhere.
        case notAFile
    }

    /// More names are counted, not said.
    private static let maximum = 8

    let path: String
    let reason: Reason

    /// The line that names what people would miss: not the public halves beside keys that were found.
    static func note(_ all: [SkippedFile], keys: [String], _ context: Context) -> String? {
        let halves = Set(keys.flatMap { ["\($0).pub", "\($0)-cert.pub"] })
        let missed = all.filter { !halves.contains($0.path) }.map { $0.path.split(separator: "/").last ?? "" }
        guard !missed.isEmpty else { return nil }
        let names = missed.prefix(maximum).map { context.output.display.cell(String($0)) }
        let more = missed.count > maximum ? " and \(missed.count - maximum) more" : ""
        return "no private key in \(names.joined(separator: ", "))\(more)"
    }

    /// The element of `passedOver`.
    var json: JSONValue {
        ["file": .text(path), "reason": .text(reason.rawValue)]
    }
}
