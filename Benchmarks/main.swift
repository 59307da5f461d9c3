internal import Glibc

/// Measures, prints a table, and says by the exit code whether measuring worked; with `--check` also whether
/// every target was met.
func benchmarks() async throws -> Int32 {
    let options = try Options(Array(CommandLine.arguments.dropFirst()))
    var rows: [Row] = []
    if options.wants("program"), let hsip = options.hsip {
        if let home = options.home { rows.append(try ProgramRows.memory(hsip: hsip, home: home)) }
        if let age = options.age {
            rows.insert(try ProgramRows.start(hsip: hsip, age: age), at: 0)
            rows += try SizeRows.measure(hsip: hsip, age: age)
        }
    }
    // A program that is started begins with the peak of memory of this one, so nothing large comes before.
    if options.wants("files"), let hsip = options.hsip, let age = options.age, let folder = options.folder,
        let openssl = options.openssl, let recipient = options.recipient, let identity = options.identity
    {
        rows += try FileRows.measure(
            hsip: hsip,
            age: age,
            openssl: openssl,
            recipient: recipient,
            identity: identity,
            in: folder
        )
    }
    if options.wants("audit"), let folder = options.folder {
        rows.insert(try await AuditRows.append(in: folder + "/audit"), at: 0)
    }
    if options.wants("reads"), let folder = options.folder {
        rows.insert(contentsOf: try StoreRows.reads(in: folder), at: 0)
    }
    if options.wants("repair"), let folder = options.folder {
        rows.append(try StoreRows.repair(in: folder))
        rows.append(try StoreRows.rekey(in: folder))
        rows += try BackupRows.measure(in: folder + "/backup")
    }
    if options.wants("commits"), let folder = options.folder {
        rows.insert(contentsOf: try StoreRows.commits(in: folder), at: 0)
    }
    if options.wants("scale"), let folder = options.folder {
        try Scratch.makeFolder(folder + "/scale")
        rows += try ScaleRows.measure(in: folder + "/scale")
    }
    if options.wants("messages") {
        rows.insert(contentsOf: try MessageRows.measure(), at: 0)
        if let hsip = options.hsip, let home = options.home {
            rows.append(try await GiftRows.send(home: home, hsip: hsip))
        }
    }
    if options.wants("suites"), let hsip = options.hsip, let folder = options.folder {
        rows += try await SuiteRows.measure(hsip: hsip, in: folder + "/suites")
    }
    if options.wants("ssh"), let hsip = options.hsip, let sshKeygen = options.sshKeygen,
        let folder = options.folder
    {
        rows += try await SSHKeyRows.measure(hsip: hsip, sshKeygen: sshKeygen, in: folder)
        rows += try await SSHHostRows.measure(hsip: hsip, sshKeygen: sshKeygen, in: folder)
    }
    if options.wants("import"), let hsip = options.hsip, let folder = options.folder {
        rows += try ImportRows.measure(hsip: hsip, in: folder)
    }
    if options.wants("machines"), let hsip = options.hsip, let git = options.git, let folder = options.folder
    {
        let host = options.ssh.map { SSHHost(address: $0, settings: folder + "/sshd/client") }
        rows += try await MachineRows.measure(hsip: hsip, git: git, host, in: folder + "/machines")
    }
    if options.wants("fleet"), let hsip = options.hsip, let folder = options.folder,
        let address = options.etcd, let tool = options.etcdctl
    {
        let server = try EtcdServer(at: address, tool: tool, in: folder + "/etcd")
        rows += try await FleetRows.measure(hsip: hsip, server, in: folder + "/fleet")
    }
    if options.wants("agent"), let hsip = options.hsip, let folder = options.folder {
        rows += try agentRows(options, hsip: hsip, in: folder)
    }
    if options.wants("service"), let hsip = options.hsip, let folder = options.folder,
        let keyring = options.gnomeKeyring, let bus = options.busDaemon, let tool = options.secretTool
    {
        let programs = ServiceRows.Programs(
            hsip: hsip,
            secrets: hsip + "-secrets",
            keyring: keyring,
            bus: bus,
            secretTool: tool
        )
        rows += try ServiceRows.measure(programs, sizes: options.sizes, in: folder + "/service")
    }
    var beside: [[String]] = []
    if options.wants("keyring"), let folder = options.folder,
        let tool = options.secretTool
    {
        let found = try KeyringRows.measure(
            in: folder,
            secretTool: tool,
            sizes: options.sizes ?? [100, 1_000]
        )
        rows += found.rows
        beside = found.table
    }
    guard !rows.isEmpty else { throw BenchmarkError.usage }
    print(Format.table([Row.header] + rows.map(\.cells)))
    if !beside.isEmpty { print("\n" + Format.table(beside)) }
    let misses = rows.filter { $0.isMet == false }.count
    return options.check && misses > 0 ? 1 : 0
}

/// The rows of the agent: on its socket, and of the whole program over it.
func agentRows(_ options: Options, hsip: String, in folder: String) throws -> [Row] {
    var rows: [Row] = []
    if let agent = options.sshAgent, let add = options.sshAdd {
        rows += try AgentRows.measure(hsip: hsip, sshAgent: agent, sshAdd: add, in: folder)
    }
    if let age = options.age, let recipient = options.recipient, let home = options.home {
        rows.append(try AgentProgramRows.encrypt(hsip: hsip, age: age, recipient: recipient, home: home))
    }
    if let tool = options.secretTool {
        rows += try AgentProgramRows.read(hsip: hsip, secretTool: tool, pass: options.pass, in: folder)
        rows += try AgentScaleRows.measure(hsip: hsip, in: folder)
    }
    return rows
}

do {
    exit(try await benchmarks())
} catch {
    print("the measurement failed: \(error)")
    exit(2)
}
