internal import ArgumentParser
internal import LogCarriers
internal import Presentation

/// `hsip setup sync etcd`.
struct SetupSyncEtcd: Command {
    static let path = "setup sync etcd"
    static let configuration = CommandConfiguration(
        commandName: "etcd",
        abstract: "Keep the shared log in etcd, for many machines.",
        discussion: """
            hsip asks for the password and keeps it in the vault; again, it changes the login.

              hsip setup sync etcd https://a:2379,https://b:2379 --user laptop
              hsip setup sync etcd https://a:2379 --print-etcd   users and roles
            """
    )

    @Argument(help: "The servers, and the prefix of the keys (default: /hsip).")
    var address: String?

    @OptionGroup var login: EtcdLoginOptions

    @Flag(
        name: .customLong("print-etcd"),
        help: "Print a script for etcd's operator; change nothing."
    )
    var printsScript = false

    @OptionGroup var options: SetupSyncOptions

    /// True for a byte that no shell interprets.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || [0x2D, 0x2E, 0x5F].contains(byte)
    }

    func run(_ context: Context) async throws {
        guard printsScript else { return try await options.run(.etcd, address, context, login: login) }
        guard let address, !options.undo else {
            throw Failure.usage("name the servers of etcd", hint: "hsip help setup sync etcd")
        }
        let place = try context.address(.etcd, address)
        let user = login.user ?? options.name ?? OwnMachine.name
        guard !user.isEmpty, !user.hasPrefix("-"), user.utf8.allSatisfy(Self.isPlain) else {
            throw Failure.usage(
                "the user in a script has only letters, digits and - . _, and does not begin with -",
                hint: "--user NAME"
            )
        }
        let script = EtcdScript(place: place, user: user).text
        try context.output.data(Array(script.utf8))
        try context.output.succeed([
            "name": nil, "address": .text(place.text), "active": false, "changed": false, "sent": 0,
            "script": .text(script),
        ])
    }
}

/// The script that the operator of etcd reads, and runs once.
private struct EtcdScript {
    let place: CarrierAddress
    /// The first user who may write.
    let user: String

    /// The end of the role names, which differs for different prefixes, so that two logs in one etcd never share a role.
    private var name: String {
        place.prefix.dropFirst().map { sign in
            switch sign {
            case "/": "__"
            case ".": "_d"
            case "_": "_u"
            default: String(sign)
            }
        }
        .joined()
    }

    private var writer: String { "hsip-writer-\(name)" }
    private var reader: String { "hsip-reader-\(name)" }

    var text: String {
        """
        #!/bin/sh
        # Prepares etcd for the shared log of hsip below \(place.prefix).
        # Read it first. Run it where etcdctl reaches etcd as an administrator; ETCDCTL_CACERT names the file of
        # etcd's authority. If etcd has users already, set ETCDCTL_USER=root and ETCDCTL_PASSWORD.
        # After a failure, run it again with the same input: roles and users that exist keep their passwords.
        set -eu
        export ETCDCTL_API=3
        export ETCDCTL_ENDPOINTS=\(place.endpoints.joined(separator: ","))

        # One user for each machine. Writers read and change what is shared, readers only read it.
        WRITERS="${WRITERS-\(user)}"
        READERS="${READERS-}"

        # add USER ROLE: asks for the password at a terminal. Otherwise stdin has one line for each user: the
        # writers, the readers, then root; also for a user that exists. A password has no blanks.
        add() {
            password=
            [ -t 0 ] || IFS= read -r password || true
            if etcdctl user get "$1" >/dev/null 2>&1; then
                echo "User $1 exists."
            elif [ -t 0 ]; then
                etcdctl user add "$1"
            elif [ -z "$password" ]; then
                echo "no password for $1" >&2
                exit 1
            else
                printf '%s\\n' "$password" | etcdctl user add "$1" --interactive=false
            fi
            etcdctl user grant-role "$1" "$2" </dev/null
        }
        # role NAME PERMISSION
        role() {
            etcdctl role get "$1" >/dev/null 2>&1 || etcdctl role add "$1"
            etcdctl role grant-permission "$1" "$2" --prefix=true \(place.prefix)/
        }

        role \(writer) readwrite
        role \(reader) read
        for user in $WRITERS; do add "$user" \(writer); done
        for user in $READERS; do add "$user" \(reader); done

        # Without users, etcd lets everybody in. From here on, all programs that use this etcd need a login.
        if [ -z "${ETCDCTL_USER-}" ]; then
            etcdctl role get root >/dev/null 2>&1 || etcdctl role add root
            add root root
            etcdctl auth enable
        fi

        # Later, for one more machine:   etcdctl user add NAME; etcdctl user grant-role NAME \(writer)
        # A machine was removed:         etcdctl user delete NAME
        #
        # Settings of each server of etcd (on Debian in /etc/default/etcd):
        #   ETCD_CERT_FILE, ETCD_KEY_FILE          the certificate needs serverAuth and clientAuth
        #   ETCD_QUOTA_BACKEND_BYTES=8589934592    room for the log; 2 GiB without it
        #   ETCD_AUTO_COMPACTION_RETENTION=24      hours; hsip needs no old revision of a key
        #   ETCD_TRUSTED_CA_FILE                   not set, or each machine needs --cert and --key
        # When etcd is full (alarm NOSPACE): etcdctl compact REVISION; etcdctl defrag; etcdctl alarm disarm

        """
    }
}
