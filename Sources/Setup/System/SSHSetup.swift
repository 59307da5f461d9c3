internal import Glibc
package import Presentation
package import SSHFormats
package import VaultLifecycle

/// ssh's settings brought together with the vault: one line in ~/.ssh/config, and the file that it names.
package struct SSHSetup {
    package let places: SSHPlaces
    let vault: String
    private let line: String

    /// - Throws: `unavailable` for a folder whose path cannot stand in settings of ssh.
    package init(_ places: SSHPlaces, vault: VaultPlace) throws(Failure) {
        self.places = places
        self.vault = vault.key
        guard let line = places.line.text else {
            throw Failure(
                .unavailable,
                "\(places.fragment) has characters with a special meaning for ssh",
                hint: "XDG_CONFIG_HOME=FOLDER hsip setup ssh"
            )
        }
        self.line = line
    }

    /// Whether ssh was set up for this vault, and not undone since.
    package func isActive() throws(Failure) -> Bool {
        try SetupRecord.read(places.record)?.vault == vault
    }

    /// What has to change, so that ssh uses a fragment: its file first.
    ///
    /// - Throws: what `FoundFile` refuses; `malformedInput` for a file that is none of ours, or no text.
    package func changes(to fragment: [UInt8]) throws(Failure) -> [FileChange] {
        let (file, config) = try found()
        let bytes = config.bytes ?? []
        let wanted = places.line.leads(bytes) ? bytes : places.line.added(to: bytes)
        return [FileChange(file: file, new: fragment), FileChange(file: config, new: wanted)]
            .filter { !$0.isNone }
    }

    /// Makes the changes, if ssh reads them as it should; else everything is as before.
    package func apply(_ changes: [FileChange], _ fragment: SSHConfigFragment, _ reading: SSHReading) throws {
        let before = try SetupRecord.read(places.record)
        // What is put where is known before it is there: so it can be taken out, wherever this stops.
        var noted = record(after: changes, before)
        let settings = fragment.blocks.flatMap(\.settings)
        noted.agentSocket = settings.first { $0.keyword == "IdentityAgent" }?.meaning
        try noted.write(places.record)
        var done: [FileChange] = []
        do {
            for change in changes where change.file.path == places.fragment {
                try change.apply()
                done.append(change)
            }
            let config = changes.last { $0.file.path == places.config }
            let text = try config?.new ?? FoundFile(places.config).bytes ?? []
            guard let differences = try reading.differences(fragment, in: text) else {
                throw unreadable(places.config)
            }
            guard differences.isEmpty else { throw Self.ineffective(differences) }
            try config?.apply()
        } catch {
            for change in done.reversed() { try? change.undo() }
            if let before {
                try? before.write(places.record)
            } else {
                Path.remove(places.record)
            }
            throw error
        }
        removeLeftovers()
    }

    /// Refuses settings that ssh does not read already: their owner has to correct them.
    package func checkReadable(_ reading: SSHReading) throws {
        guard let bytes = try FoundFile(places.config).bytes else { return }
        guard try reading.settings(for: SSHReading.stranger, in: bytes) != nil else {
            throw unreadable(places.config)
        }
    }

    /// What has to change, so that everything is as before; and what is not there any more.
    package func undoing() throws(Failure) -> (changes: [FileChange], missing: [String]) {
        let (file, config) = try found()
        let record = try SetupRecord.read(places.record)
        var changes: [FileChange] = []
        var missing: [String] = []
        if let record, record.config == places.config, record.line == nil {
            // The line was its owner's before.
        } else if let bytes = config.bytes, let rest = places.line.removed(from: bytes) {
            let isOurs = record?.madeConfig == true && rest.isEmpty
            changes.append(FileChange(file: config, new: isOurs ? nil : rest))
        } else if let bytes = config.bytes, places.line.stands(in: bytes) {
            missing.append("the line in \(places.config) was moved or changed; hsip does not remove it")
        }
        if record?.madeFragment != false, file.bytes != nil {
            changes.append(FileChange(file: file, new: nil))
        }
        return (changes, missing)
    }

    /// Takes everything out: the line first, so that ssh never looks for what is gone.
    package func undo(_ changes: [FileChange]) throws(Failure) {
        let record = try SetupRecord.read(places.record)
        for change in changes { try change.apply() }
        removeLeftovers()
        if record?.madeFolder == true { unsafe rmdir(Path.folder(of: places.config)) }
        Path.remove(places.record)
    }

    /// Brings the fragment up to date, where ssh is set up for this vault; whether it was not.
    ///
    /// - Throws: what `FoundFile` refuses, and what writing throws.
    @discardableResult
    package func refresh(_ fragment: [UInt8]) throws(Failure) -> Bool {
        guard try isActive() else { return false }
        let change = FileChange(file: try fragmentFile(), new: fragment)
        guard !change.isNone else { return false }
        try change.apply()
        return true
    }

    /// The file of the fragment; one that is not ours is left alone.
    private func fragmentFile() throws(Failure) -> FoundFile {
        let file = try FoundFile(places.fragment)
        if let bytes = file.bytes, !bytes.starts(with: Array(SSHConfigFragment.heading.utf8)) {
            throw Failure(
                .malformedInput,
                "\(places.fragment) is not hsip's file",
                hint: "move the file away"
            )
        }
        return file
    }

    private func found() throws(Failure) -> (fragment: FoundFile, config: FoundFile) {
        let config = try FoundFile(places.config)
        if let oddity = config.bytes.flatMap(IncludeLine.oddity) {
            throw Failure(
                .malformedInput,
                "\(places.config) is not plain text (\(oddity)); hsip did not change it",
                hint: "ssh -G -F \(ShellWord.quoted(places.config)) localhost"
            )
        }
        return (try fragmentFile(), config)
    }

    /// Removes what a setup that was killed had begun to write beside a file.
    private func removeLeftovers() {
        for path in [places.config, places.fragment] {
            FileChange.removeLeftovers(beside: (try? FoundFile(path).target) ?? path)
        }
    }

    /// What is known of earlier changes stays known.
    private func record(after changes: [FileChange], _ before: SetupRecord?) -> SetupRecord {
        let config = changes.first { $0.file.path == places.config }
        let fragment = changes.first { $0.file.path == places.fragment }
        if var before, before.config == places.config, config == nil {
            before.vault = vault
            return before
        }
        return SetupRecord(
            vault: vault,
            config: places.config,
            line: config == nil ? nil : line,
            madeFolder: config.map { !$0.file.hasFolder } ?? false,
            madeConfig: config.map { $0.file.bytes == nil } ?? false,
            madeFragment: before?.madeFragment ?? (fragment.map { $0.file.bytes == nil } ?? false)
        )
    }

    private func unreadable(_ path: String) -> Failure {
        Failure(
            .malformedInput,
            "ssh cannot read \(path); hsip did not change it",
            hint: "ssh -G -F \(ShellWord.quoted(path)) localhost"
        )
    }

    /// Settings that ssh would not use.
    package static func ineffective(_ differences: [String]) -> Failure {
        var failure = Failure(
            .sshSetupDiffers,
            "ssh does not use the settings of the vault",
            hint: "hsip setup ssh",
            details: ["differences": .list(differences.map { .text($0) })]
        )
        failure.lines = Array(differences.prefix(10))
        return failure
    }
}
