internal import VaultCrypto

/// An etcd with a user `machine`, who may write below `/hsip/`, and a person who calls it by hand with etcdctl.
final class EtcdServer {
    private let endpoints: String
    private let tool: String
    private let folder: String
    private let environment: [String]
    private var added = 0

    /// An etcd that runs.
    ///
    /// - Parameters:
    ///   - endpoints: Its address.
    ///   - tool: Where `etcdctl` is.
    ///   - folder: Where the files `ca.pem` and `machine.word` are; others are added.
    /// - Throws: `BenchmarkError.system` if the password cannot be read.
    init(at endpoints: String, tool: String, in folder: String) throws {
        (self.endpoints, self.tool, self.folder) = (endpoints, tool, folder)
        let word = String(decoding: try Scratch.read(folder + "/machine.word"), as: UTF8.self)
        environment = [
            "ETCDCTL_API=3", "ETCDCTL_ENDPOINTS=\(endpoints)", "ETCDCTL_CACERT=\(folder)/ca.pem",
            "ETCDCTL_USER=machine:\(word.prefix { $0 != "\n" })",
        ]
    }

    /// The address of a log.
    func address(_ name: String) -> String { "\(endpoints)/hsip/\(name)" }

    /// How hsip is told to log in.
    var login: [String] {
        ["--user", "machine", "--password-file", folder + "/machine.word", "--ca", folder + "/ca.pem"]
    }

    /// Bytes of the newest entry of a log.
    func newestSize(_ name: String) throws -> Int {
        let words = ["--prefix", "--order=DESCEND", "--sort-by=KEY", "--limit=1", "--print-value-only"]
        _ = try get("/hsip/\(name)/e/", words)
        // A line feed ends it.
        return try Scratch.size(folder + "/found") - 1
    }

    /// Bytes of all entries of a log.
    func size(_ name: String) throws -> Int {
        _ = try readAll(name)
        return try Scratch.size(folder + "/found")
    }

    /// Puts a value of so many bytes under a new key; the seconds that it took.
    func put(_ size: Int) throws -> Double {
        added += 1
        let file = "\(folder)/value-\(added)"
        try Scratch.write(Entropy.system.bytes(size), to: file)
        return try run(["put", "/hsip/hand/\(added)"], input: file)
    }

    /// Asks for the newest place of a log; the seconds that it took.
    func getHead(_ name: String) throws -> Double { try get("/hsip/\(name)/head") }

    /// Reads all entries of a log into a file; the seconds that it took.
    func readAll(_ name: String) throws -> Double { try get("/hsip/\(name)/e/", ["--prefix"]) }

    private func get(_ key: String, _ words: [String] = []) throws -> Double {
        try run(["get", key] + words, output: folder + "/found")
    }

    private func run(
        _ words: [String],
        input: String = "/dev/null",
        output: String = "/dev/null"
    ) throws -> Double {
        try Child.run(tool, words, environment: environment, input: input, output: output).seconds
    }
}
