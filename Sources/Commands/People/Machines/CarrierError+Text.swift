internal import LogCarriers
internal import Presentation
internal import SharedLog
internal import System
internal import Text

extension CarrierError {
    /// The failure that explains this error to a person and to a script.
    ///
    /// - Parameters:
    ///   - place: The address, as a terminal shows it.
    ///   - kind: The kind of the address.
    ///   - servers: The etcd servers in the address.
    ///   - again: The command to repeat if etcd does not answer; nil for a sync.
    /// - Returns: The error's name, one line, and one command that helps.
    func explanation(
        at place: String,
        _ kind: CarrierAddress.Kind,
        servers: [String] = [],
        again: String? = nil
    ) -> Failure {
        let look =
            switch kind {
            case .git: "git ls-remote \(ShellWord.quoted(place))"
            case .folder: "ls \(ShellWord.quoted(place))"
            case .etcd: again ?? "hsip sync"
            }
        let endpoints = "--endpoints \(servers.joined(separator: ","))"
        let login = "hsip setup sync etcd \(ShellWord.quoted(place))"
        func name(_ server: Int) -> String { servers.indices.contains(server) ? servers[server] : place }
        return switch self {
        case .badAddress: Failure(.malformed, Self.forms(kind))
        case .unreachable: Failure(.logUnreachable, "\(place) does not answer", hint: look)
        case .notTrusted:
            Failure(
                .notTrusted,
                "the server of \(place) has another key or certificate than expected",
                hint: look
            )
        case .badCertificate(.authority, let server):
            Failure(
                .notTrusted,
                "\(name(server)) has a certificate of an authority that this machine does not trust",
                hint: "\(login) --ca FILE"
            )
        case .badCertificate(.name, let server):
            Failure(
                .notTrusted,
                "the certificate of \(name(server)) is for another host name",
                hint: "openssl s_client -connect \(name(server).replacing("https://", with: ""))"
            )
        case .badCertificate(.date, let server):
            Failure(
                .notTrusted,
                "the certificate of \(name(server)) has expired, or is not valid yet by the clock of this machine",
                hint: "date"
            )
        case .noMajority:
            Failure(
                .logUnreachable,
                "most servers of \(place) do not answer, or the line is too slow; what is not sent waits here",
                hint: "etcdctl endpoint health \(endpoints)"
            )
        case .loginsOff:
            Failure(
                .logRefused,
                "\(place) has no users, so anybody may write there",
                hint: "\(login) --print-etcd"
            )
        case .refused where kind == .etcd:
            Failure(
                .logRefused,
                "\(place) refuses the user, the password, or what the user wants to do",
                hint: "\(login) --user NAME"
            )
        case .refused: Failure(.logRefused, "\(place) refuses the login or the change", hint: look)
        case .certificateHasName:
            Failure(.logRefused, "\(place) refuses the client certificate, because it has a CommonName")
        case .full where kind == .etcd:
            Failure(
                .logFull,
                "etcd at \(place) is full: its database has reached its quota",
                hint: "etcdctl alarm list \(endpoints)"
            )
        case .full: Failure(.logFull, "the disk is full, here or at \(place)")
        case .tooLarge: Failure(.logTooLarge, "\(place) has more than hsip accepts")
        case .damaged(let damage): Failure(.logDamaged, Self.words(damage, place), hint: look)
        case .gap: LogError(.logBehind).explanation
        case .synchronized:
            Failure(
                .copiedFolder,
                "Syncthing, Dropbox or Nextcloud copies \(place), so the shared log would split; choose another folder",
                hint: "hsip setup sync folder PATH"
            )
        case .helperMissing(let program): ProgramError.missingProgram(program).explanation
        case .outOfMemory: ProgramError.outOfMemory.explanation
        case .interrupted(let signal): ProgramError.interrupted(signal: signal).explanation
        }
    }

    private static func words(_ damage: LogDamage, _ place: String) -> String {
        switch damage {
        case .missing(let number):
            return "\(place) lacks entry \(number) of the shared log; put it back there from a backup"
        case .foreign(let name):
            let shown = Display(isUTF8: true).cell(name, columns: 120)
            return "\(place) has \(shown) among its entries, which is not an entry; repair or remove it there"
        case .unreadable: return "\(place) has no shared log that can be read; repair it there"
        }
    }

    private static func forms(_ kind: CarrierAddress.Kind) -> String {
        switch kind {
        case .git:
            "the address of the git repository must be USER@HOST:PATH, ssh://…, https://… or an absolute path, without a "
                + "password"
        case .folder: "the folder must be an absolute path without . and .. in it, and at most 256 bytes long"
        case .etcd: "the address of etcd must be https://HOST:PORT,…/PREFIX, without a user and a password"
        }
    }
}
