internal import Presentation
internal import RecordStore
internal import SSHFormats
internal import VaultKit

extension CallTable {
    /// SSH keys without their private halves, and hosts; what changes them also writes files beside the vault, and is left
    /// to the command line.
    static let ssh: [String: Entry] = [
        "ssh key list": (["trash"], { (request) throws(LibraryError) in try listKeys(request) }),
        "ssh key show": (["name", "trash"], { (request) throws(LibraryError) in try showKey(request) }),
        "ssh host list": (["keys", "trash"], { (request) throws(LibraryError) in try listHosts(request) }),
        "ssh host show": (["name", "trash"], { (request) throws(LibraryError) in try showHost(request) }),
    ]

    private static func listKeys(_ request: CallRequest) throws(LibraryError) -> Work {
        let inTrash = try request.optionalTruth("trash") ?? false
        return { context in
            let keys = try await context.vault.whole()(Operations.sshKeys, Listing(inTrash: inTrash))
            var answer = CallAnswer(.sshKeys(keys, publishedIn: context.publicKeyFolder))
            answer.addCertificates(keys, now: context.now)
            return answer
        }
    }

    private static func showKey(_ request: CallRequest) throws(LibraryError) -> Work {
        let word = try request.text("name")
        let inTrash = try request.optionalTruth("trash") ?? false
        return { context in
            let half = try await publicHalf(word, inTrash: inTrash, context.vault)
            var answer = CallAnswer(.sshKeyDetails(half, publishedIn: context.publicKeyFolder))
            answer.addCertificates([half.summary], now: context.now)
            return answer
        }
    }

    private static func publicHalf(
        _ word: String,
        inTrash: Bool,
        _ vault: any VaultService
    ) async throws -> PublicHalf {
        switch try await NameLookup.keys(try await vault.whole()).find(word, inTrash: inTrash) {
        case .named(let key), .begun(let key): return try await vault(Operations.sshPublicHalf, key.name)
        case .inTrash: throw RecordWords.key.inTrash(word, CallContext.display)
        case .ambiguous: throw VaultError.ssh(.unknownKey)
        case .unknown(let near):
            throw RecordWords.key.unknown(word, near: near, inTrash: inTrash, CallContext.display)
        }
    }

    private static func listHosts(_ request: CallRequest) throws(LibraryError) -> Work {
        let inTrash = try request.optionalTruth("trash") ?? false
        guard try request.optionalTruth("keys") == true else {
            return { context in
                var hosts: [(host: HostSummary, lines: [HostKeySummary])] = []
                for host in try await context.vault.whole()(Operations.sshHosts, Listing(inTrash: inTrash)) {
                    hosts.append(
                        (host, try await context.vault(Operations.hostKeys, host.profile.lookupName))
                    )
                }
                return CallAnswer(
                    .sshHosts(hosts, standard: try await context.vault(Operations.defaultSSHHost)?.name)
                )
            }
        }
        return { context in
            let lines = try await context.vault(Operations.hostKeys, nil).believed.filter {
                $0.isCurrent != inTrash
            }
            return CallAnswer(["hostKeys": .hostKeys(lines)])
        }
    }

    /// A profile by its name or identifier, else what is known of a host by the name that ssh asks for.
    private static func showHost(_ request: CallRequest) throws(LibraryError) -> Work {
        let word = try request.text("name")
        let inTrash = try request.optionalTruth("trash") ?? false
        return { context in
            let (host, near) = try await profile(word, inTrash: inTrash, context.vault)
            let name = try host?.profile.lookupName ?? hostName(word)
            let lines = try await context.vault(Operations.hostKeys, name)
            guard host != nil || !lines.isEmpty else {
                throw RecordWords.host.unknown(word, near: near, CallContext.display)
            }
            return CallAnswer(.sshHostDetails(host, lookupName: name.lookup, lines))
        }
    }

    /// No profile but the names that are nearest where none is called so, and a host may be.
    private static func profile(
        _ word: String,
        inTrash: Bool,
        _ vault: any VaultService
    ) async throws -> (host: HostSummary?, near: [String]) {
        switch try await NameLookup.hosts(try await vault.whole()).find(word, inTrash: inTrash) {
        case .named(let host), .begun(let host): return (host, [])
        case .inTrash: throw RecordWords.host.inTrash(word, CallContext.display)
        case .ambiguous: throw VaultError.ssh(.unknownHost)
        case .unknown(let near):
            guard !inTrash else {
                throw RecordWords.host.unknown(word, near: near, inTrash: true, CallContext.display)
            }
            return (nil, near)
        }
    }

    private static func hostName(_ word: String) throws(VaultError) -> HostName {
        do throws(SSHFormatError) {
            return try HostName(lookup: word)
        } catch {
            throw .ssh(.format(error))
        }
    }
}
