import Glibc
import LogCarriers
import System
import Testing
import VaultCrypto

extension CarrierTests {
    /// What real nodes with certificates and users do.
    struct EtcdTests {
        private let place: EtcdPlace
        private let one: any LogCarrier

        init() throws {
            place = try EtcdPlace()
            one = try place.carrier(1)
            #expect(try one.create((1...3).map { entry(1, $0) }, at: 1) == .created)
        }

        /// Asks until the nodes have a leader again.
        private func settle() throws {
            for _ in 0..<300 where (try? one.range()) != nil { return }
            throw Trouble("the nodes find no leader")
        }

        @Test func `a reader reads, and may not write or trim`() throws {
            let reader = try place.carrier(user: "web2")
            #expect(try reader.read(from: 3, bytes: 1_000).entries == [entry(1, 3)])
            #expect(throws: CarrierError.refused) { try reader.create([entry(2, 4)], at: 4) }
            #expect(try reader.trim(below: 2) == .refused)
            #expect(try one.range() == LogRange(oldest: 1, newest: 3))
        }

        @Test func `a wrong password, a foreign prefix and no user are refused`() throws {
            #expect(throws: CarrierError.refused) { try place.carrier(user: "web1", password: "x").range() }
            #expect(throws: CarrierError.refused) { try place.carrier(user: nil).range() }
            let elsewhere = try EtcdCarrier(
                try CarrierAddress(.etcd, place.cluster.endpoints + "/elsewhere"),
                try place.credentials("web1"),
                runner: EtcdPlace.runner
            )
            #expect(throws: CarrierError.refused) { try elsewhere.range() }
        }

        @Test func `servers that another authority vouches for are not trusted`() throws {
            let error = #expect(throws: CarrierError.self) {
                try place.carrier(user: "web1", authority: "other-ca.pem").range()
            }
            guard case .badCertificate(.authority, let server)? = error else {
                throw Trouble("\(String(describing: error))")
            }
            #expect((0..<3).contains(server))
        }

        @Test func `without a certificate there is no way in`() throws {
            // The server hangs up, which may be seen before its reason.
            #expect(throws: CarrierError.self) {
                try place.carrier(user: "web1", certificate: nil).range()
            }
        }

        @Test func `a certificate with a CommonName is refused by name`() throws {
            #expect(throws: CarrierError.certificateHasName) {
                try place.carrier(user: "web1", certificate: "named").range()
            }
        }

        @Test func `a token that is past its time is replaced in passing`() throws {
            let carrier = try place.carrier(user: "web3", password: "simple")
            #expect(try carrier.range().newest == 3)
            // A user who gets a new password has no tokens any more.
            try place.cluster.control(
                ["user", "passwd", "web3", "--interactive=false"],
                user: "root:root-pass",
                input: "simple\n"
            )
            #expect(try carrier.create([entry(1, 4)], at: 4) == .created)
            #expect(try carrier.range().newest == 4)
        }

        @Test func `a leader that is killed stops nothing for long`() throws {
            let cluster = place.cluster
            let leader = try cluster.leader()
            cluster.signal(leader, SIGKILL)
            // The other tests need three nodes, whatever becomes of this one.
            defer {
                #expect(throws: Never.self) {
                    try cluster.start(leader)
                    try settle()
                }
            }
            var place: UInt64 = 4
            var outcomes: [CreateOutcome] = []
            // Until there is a new one, an answer may be lost; what is in the log is read.
            for _ in 0..<60 where place < 8 {
                guard let outcome = try? one.create([entry(1, Int(place))], at: place) else { continue }
                outcomes.append(outcome)
                place = ((try? one.range())?.newest).map { $0 + 1 } ?? place
            }
            #expect(place == 8)
            #expect(outcomes.contains(.created))
            #expect(try one.read(from: 4, bytes: 10_000).entries == (4...7).map { entry(1, $0) })
        }

        @Test func `without a majority nothing is written, and it is said in time`() throws {
            let cluster = place.cluster
            for node in [0, 1] { cluster.signal(node, SIGSTOP) }
            defer { for node in [0, 1] { cluster.signal(node, SIGCONT) } }
            let deadline = Deadline(seconds: 30)
            let outcome = try? one.create([entry(1, 4)], at: 4)
            #expect(outcome != .created && outcome != .taken)
            #expect(deadline.remaining > 0)
            for node in [0, 1] { cluster.signal(node, SIGCONT) }
            try settle()
            // What was unknown is read: it is there as it was sent, or not at all.
            let entries = try one.read(from: 4, bytes: 1_000).entries
            #expect(entries.isEmpty || entries == [entry(1, 4)])
        }

        @Test func `an alarm for want of room is told, and everything can be read`() throws {
            let small = EtcdPlace(try EtcdCluster(nodes: 1, quota: 4 << 20))
            let carrier = try small.carrier(user: nil)
            var newest: UInt64 = 0
            #expect(throws: CarrierError.full) {
                for place: UInt64 in 1...20 {
                    if try carrier.create([entry(1, 1, size: 900_000)], at: place) == .created {
                        newest = place
                    }
                }
            }
            #expect(newest > 0)
            #expect(try carrier.range() == LogRange(oldest: 1, newest: newest))
        }

        @Test func `what is in a prefix and no entry makes it no log`() throws {
            try place.cluster.control(["put", "\(place.prefix)/e/x", "y"], user: "root:root-pass")
            let wanted = CarrierError.damaged(.foreign("\(place.prefix)/e/x"))
            #expect(throws: wanted) { try one.read(from: 4, bytes: 1_000) }
        }

        @Test func `a prefix has the log that its first entry names, and a short entry names none`() throws {
            let home = CarrierHome(
                mirror: "/none",
                runner: EtcdPlace.runner,
                credentials: try place.credentials("web1")
            )
            #expect(try place.address.logs(home) == [Array(entry(1, 1)[8..<24])])
            let key = "\(place.prefix)/e/0000000000000001"
            try place.cluster.control(["put", key, "HSIPLOG1 and no more"], user: "root:root-pass")
            let wanted = CarrierError.damaged(.foreign("0000000000000001"))
            #expect(throws: wanted) { try place.address.logs(home) }
            try place.cluster.control(["del", "\(place.prefix)/e/", "--prefix"], user: "root:root-pass")
            #expect(try place.address.logs(home) == [])
        }

        @Test(arguments: ["", "a\nb", "a\u{7F}"])
        func `a password that cannot be typed is refused`(password: String) throws {
            #expect(throws: CarrierError.badAddress) {
                try EtcdCredentials(user: "a", password: try Secret(copying: Array(password.utf8)))
            }
            #expect(throws: CarrierError.badAddress) { try EtcdCredentials(authority: "ca.pem") }
            #expect(throws: CarrierError.badAddress) { try EtcdCredentials(certificate: "me.pem") }
            #expect(throws: CarrierError.badAddress) { try EtcdCredentials(user: "a") }
        }
    }
}
