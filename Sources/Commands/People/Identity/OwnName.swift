internal import Glibc
internal import HSIP
internal import Presentation
internal import RecordStore

/// The name that contacts will see.
package enum OwnName {
    private static let tries = 3

    /// The name from `--name`, or the name that a person types; the default is the user's name in the system.
    package static func choose(_ given: String?, _ context: Context) throws -> String {
        if let given { return try checked(given) }
        var left = tries
        while true {
            let name = try context.terminal.ask(
                "Your name, as contacts will see it",
                default: ofUser,
                flag: "--name NAME"
            )
            do {
                return try checked(name)
            } catch let failure as Failure where left > 1 {
                left -= 1
                context.output.say("hsip: \(failure.message)")
            }
        }
    }

    /// The name in form C; refused if a code cannot carry it.
    static func checked(_ text: String) throws -> String {
        let name = NameRules.normalized(text)
        guard PeerName.isValid(name), name.isEmpty || PeerName.isVisible(name) else {
            throw Failure(
                .malformed,
                "a name has at most \(PeerName.longest) bytes, nothing hidden, and something to see"
            )
        }
        return name
    }

    /// The user's name in the system: the full name, or the login; nil if neither can be used.
    private static var ofUser: String? {
        guard let entry = unsafe getpwuid(geteuid()) else { return nil }
        let full = unsafe entry.pointee.pw_gecos.map { unsafe String(cString: $0) } ?? ""
        let login = unsafe entry.pointee.pw_name.map { unsafe String(cString: $0) } ?? ""
        let first = full.split(separator: ",", omittingEmptySubsequences: false).first.map(String.init) ?? ""
        return [first, login].map { NameRules.normalized($0) }
            .first { !$0.isEmpty && PeerName.isValid($0) }
    }
}
