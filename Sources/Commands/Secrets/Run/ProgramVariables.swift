internal import CLinux
internal import Glibc
internal import Presentation
internal import Secrets
internal import System
internal import VaultCrypto

/// The variables for a program to start; some of them name secrets.
struct ProgramVariables {
    private enum Value {
        /// A value that is passed unchanged.
        case plain([UInt8])
        case reference(Reference)
        /// A reference that is replaced by the path of a file in memory with its value.
        case inMemory(Reference)
        /// Text that looks like a reference but is not valid.
        case mistaken
    }

    private var names: [[UInt8]] = []
    private var values: [[UInt8]: Value] = [:]

    /// The variables of this process, in their order.
    static func ofProcess() -> ProgramVariables {
        var variables = ProgramVariables()
        guard let list = unsafe hsip_environment() else { return variables }
        var place = 0
        while let entry = unsafe list[place] {
            let bytes = unsafe Array(UnsafeRawBufferPointer(start: entry, count: strlen(entry)))
            // A name may begin with `=`, but may not be empty.
            if let end = bytes.dropFirst().firstIndex(of: 0x3D) {
                variables.set(Array(bytes[..<end]), to: Array(bytes[(end + 1)...]))
            }
            place += 1
        }
        return variables
    }

    /// Adds the variables of a file (Schemas/references.md section 2).
    ///
    /// - Throws: `badVariable` with the number of the line.
    mutating func add(file: String) throws {
        let text = try OwnFile.read(file)
        do throws(VariableFileError) {
            for variable in try VariableFile(reading: text).variables {
                set(variable.name, to: variable.value)
            }
        } catch {
            switch error {
            case .malformed(let line):
                throw Failure(
                    .badVariable,
                    "line \(line) of the env file is not NAME=VALUE",
                    hint: "hsip run --help",
                    details: ["line": .integer(line)]
                )
            }
        }
    }

    /// Adds a variable `NAME=vault:…` whose value the program reads from a file in memory.
    mutating func add(inMemory option: String) throws(Failure) {
        let bytes = Array(option.utf8)
        guard let end = bytes.firstIndex(of: 0x3D), VariableFile.isName(bytes[..<end]),
            let reference = Reference(reading: bytes[(end + 1)...])
        else {
            throw Failure.usage("--fd must be NAME=vault:SECRET or NAME=vault:SECRET#FIELD")
        }
        put(Array(bytes[..<end]), .inMemory(reference))
    }

    /// The references in the variables, each once.
    var references: [Reference] {
        var seen: Set<Reference> = []
        var list: [Reference] = []
        for name in names {
            switch values[name] {
            case .reference(let reference)?, .inMemory(let reference)?:
                if seen.insert(reference).inserted { list.append(reference) }
            default: continue
            }
        }
        return list
    }

    /// The variables as a program gets them, each as `NAME=value` and a zero byte.
    ///
    /// - Throws: `badVariable` for text that looks like a reference but is not valid, and for a value with a zero byte.
    func entries(_ found: [Reference: Secret]) throws -> [Secret] {
        try names.map { (name) throws -> Secret in
            let head = name + [0x3D]
            switch values[name] {
            case .plain(let bytes)?: return try Secret(copying: head + bytes + [0])
            case .reference(let reference)?:
                guard let value = found[reference] else { throw VaultErrorMissing.failure }
                guard value.withBytes({ span in (0..<span.byteCount).allSatisfy { span.byte(at: $0) != 0 } })
                else {
                    throw Self.refusal(
                        name,
                        "would contain a zero byte, which no variable can",
                        "--fd NAME=REFERENCE"
                    )
                }
                return Secret(
                    try SecretBytes.joined([head, value, [UInt8](arrayLiteral: 0)] as [any ByteSource])
                )
            case .inMemory(let reference)?:
                guard let value = found[reference] else { throw VaultErrorMissing.failure }
                let path = try MemoryFile.make(value)
                return try Secret(copying: head + Array(path.utf8) + [0])
            case .mistaken?, nil:
                throw Self.refusal(
                    name,
                    "looks like a reference, but is not one",
                    "vault:NAME or vault:NAME#FIELD"
                )
            }
        }
    }

    private mutating func set(_ name: [UInt8], to value: [UInt8]) {
        guard Reference.isLookedLike(by: value) else { return put(name, .plain(value)) }
        put(name, Reference(reading: value).map { .reference($0) } ?? .mistaken)
    }

    private mutating func put(_ name: [UInt8], _ value: Value) {
        if values.updateValue(value, forKey: name) == nil { names.append(name) }
    }

    private static func refusal(_ name: [UInt8], _ what: String, _ hint: String) -> Failure {
        let shown = VariableFile.isName(name) ? String(decoding: name, as: UTF8.self) : "a variable"
        return Failure(.badVariable, "\(shown) \(what)", hint: hint)
    }
}

/// The failure for a requested value that is missing; the program is then not started.
private enum VaultErrorMissing {
    static let failure = Failure(.unknownSecret, "a variable has no value")
}

/// A read-only file in memory, for one program.
enum MemoryFile {
    /// Makes the file, which stays open for the program that is started next.
    ///
    /// - Returns: The file's path, as that program sees it.
    static func make(_ value: Secret) throws(ConsoleError) -> String {
        let number = hsip_memory_file()
        guard number >= 0 else { throw .io(code: errno) }
        try Descriptor(number).write(value)
        guard hsip_seal_memory_file(number) == 0 else { throw .io(code: errno) }
        return "/proc/self/fd/\(number)"
    }
}
