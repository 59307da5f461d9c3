internal import LogCarriers
internal import Presentation
internal import Programs
internal import SafeText
internal import SharedLog

extension CarrierError {
    /// What it says to a person and to a script.
    ///
    /// - Parameters:
    ///   - place: The address, fit for a terminal.
    ///   - kind: The kind of the address.
    /// - Returns: the name, one line, and one command that helps.
    func explanation(at place: String, _ kind: CarrierAddress.Kind) -> ErrorText {
        let look =
            switch kind {
            case .git: "git ls-remote \(ShellWord.quoted(place))"
            case .folder: "ls \(ShellWord.quoted(place))"
            case .etcd: "hsip sync"
            }
        return switch self {
        case .badAddress: ErrorText(.malformed, Self.forms(kind))
        case .unreachable: ErrorText(.logUnreachable, "\(place) does not answer", hint: look)
        case .notTrusted:
            ErrorText(
                .notTrusted,
                "the server of \(place) has another key or certificate than expected",
                hint: look
            )
        case .refused: ErrorText(.logRefused, "\(place) refuses the login or the change", hint: look)
        case .certificateHasName:
            ErrorText(.logRefused, "\(place) refuses the client certificate, because it has a CommonName")
        case .full: ErrorText(.logFull, "the disk is full, here or at \(place)")
        case .tooLarge: ErrorText(.logTooLarge, "\(place) has more than hsip accepts")
        case .damaged:
            ErrorText(
                .logDamaged,
                "\(place) lacks an entry of the shared log, or has another file among the entries",
                hint: look
            )
        case .gap: LogError(.logBehind).explanation
        case .synchronized:
            ErrorText(
                .copiedFolder,
                "Syncthing, Dropbox or Nextcloud copies \(place), so the shared log would split; choose another folder",
                hint: "hsip setup sync folder PATH"
            )
        case .helperMissing(let program): ProgramError.missingProgram(program).explanation
        case .outOfMemory: ProgramError.outOfMemory.explanation
        case .interrupted(let signal): ProgramError.interrupted(signal: signal).explanation
        }
    }

    private static func forms(_ kind: CarrierAddress.Kind) -> String {
        switch kind {
        case .git:
            "the address of the git repository must be USER@HOST:PATH, ssh://…, https://… or an absolute path, without a "
                + "password"
        case .folder: "the folder must be an absolute path without . and .. in it, and at most 256 bytes long"
        case .etcd: "the address of etcd must be https://HOST:PORT,…/PREFIX, with its login"
        }
    }
}
