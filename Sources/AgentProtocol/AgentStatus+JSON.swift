internal import JSON

extension AgentStatus {
    var json: JSONValue {
        var json = JSONValue.object([])
        json["isLocked"] = .bool(isLocked)
        json["vault"] = .text(vault)
        json["pid"] = .number("\(pid)")
        json["program"] = .text(program)
        json["protocol"] = .number("\(`protocol`)")
        json["vaultID"] = vaultID.map { .text($0) }
        json["backend"] = backend.map { .text($0) }
        json["idleSeconds"] = idleSeconds.map { .number("\($0)") }
        json["absoluteSeconds"] = absoluteSeconds.map { .number("\($0)") }
        json["hooks"] = .list(hooks.map { .text($0) })
        json["hardening"] = .list(hardening.map { .text($0) })
        json["memoryLimit"] = memoryLimit.map { .number("\($0)") }
        json["isMemoryLocked"] = .bool(isMemoryLocked)
        json["controlSocket"] = controlSocket.map { .text($0) }
        json["sshSocket"] = sshSocket.map { .text($0) }
        json["sshKeys"] = sshKeys.map { .number("\($0)") }
        json["questions"] = questions.map { .text($0.rawValue) }
        json["questionsAt"] = questionsAt.map { .text($0) }
        json["connections"] = .number("\(connections)")
        json["refused"] = refused.json
        json["plainPrograms"] = .number("\(plainPrograms)")
        json["warnings"] = .list(warnings.map { .text($0) })
        return json
    }

    /// What an agent sent; fields that are not known are passed over.
    ///
    /// - Throws: `malformed` where what every agent says is missing, or a field is something else.
    init(_ json: JSONValue) throws(FrameError) {
        guard let isLocked = try json.truth("isLocked"), let vault = try json.word("vault"),
            let pid = try json.number("pid").flatMap({ Int32(exactly: $0) }),
            let program = try json.word("program"), let version = try json.number("protocol"),
            let isMemoryLocked = try json.truth("isMemoryLocked"),
            let connections = try json.number("connections")
        else { throw .malformed }
        self.init(isLocked: isLocked, vault: vault, pid: pid, program: program)
        self.protocol = version
        vaultID = try json.word("vaultID")
        backend = try json.word("backend")
        idleSeconds = try json.number("idleSeconds")
        absoluteSeconds = try json.number("absoluteSeconds")
        hooks = try json.words("hooks")
        hardening = try json.words("hardening")
        memoryLimit = try json.number("memoryLimit")
        self.isMemoryLocked = isMemoryLocked
        controlSocket = try json.word("controlSocket")
        sshSocket = try json.word("sshSocket")
        sshKeys = try json.number("sshKeys")
        if let place = try json.word("questions") {
            guard let questions = QuestionPlace(rawValue: place) else { throw .malformed }
            self.questions = questions
        }
        questionsAt = try json.word("questionsAt")
        self.connections = connections
        if let refused = json["refused"] { self.refused = try UnaskedRefusals(refused) }
        plainPrograms = try json.number("plainPrograms") ?? 0
        warnings = try json.words("warnings")
    }
}
