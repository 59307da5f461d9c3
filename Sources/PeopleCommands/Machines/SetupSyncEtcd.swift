internal import ArgumentParser
internal import CommandKit
internal import Console
internal import LogCarriers

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

    /// What no shell reads as anything else.
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
        guard user.utf8.allSatisfy(Self.isPlain) else {
            throw Failure.usage(
                "the user in a script has only letters, digits and - . _",
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

/// What the operator of etcd runs once, after a person has read it.
private struct EtcdScript {
    let place: CarrierAddress
    /// The first user who may write.
    let user: String

    var text: String {
        """
        #!/bin/sh
        # Prepares etcd for the shared log of hsip below \(place.prefix). Read it first; run it once where etcdctl reaches
        # etcd as an administrator. ETCDCTL_CACERT names the file of etcd's authority, ETCDCTL_USER the
        # user root if etcd has users already.
        set -eu
        export ETCDCTL_API=3
        export ETCDCTL_ENDPOINTS=\(place.endpoints.joined(separator: ","))

        # One user for each machine. Writers read and change what is shared, readers only read it.
        WRITERS="${WRITERS-\(user)}"
        READERS="${READERS-}"

        # etcdctl asks for the password of each new user, or reads a line of stdin. A password has no blanks.
        add() {
            if [ -t 0 ]; then
                etcdctl user add "$1"
            else
                read -r password
                printf '%s\\n' "$password" | etcdctl user add "$1" --interactive=false
            fi
        }

        etcdctl role add hsip-writer
        etcdctl role grant-permission hsip-writer readwrite --prefix=true \(place.prefix)/
        etcdctl role add hsip-reader
        etcdctl role grant-permission hsip-reader read --prefix=true \(place.prefix)/
        for user in $WRITERS; do add "$user"; etcdctl user grant-role "$user" hsip-writer; done
        for user in $READERS; do add "$user"; etcdctl user grant-role "$user" hsip-reader; done

        # Without users, etcd lets everybody in. From here on, all programs that use this etcd need a login.
        if [ -z "${ETCDCTL_USER-}" ]; then
            add root
            etcdctl user grant-role root root
            etcdctl auth enable
        fi

        # Later, for one more machine:   etcdctl user add NAME; etcdctl user grant-role NAME hsip-writer
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
