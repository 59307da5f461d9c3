internal import Presentation
package import VaultLifecycle

extension Context: Progress {
    /// Says what goes on where it takes long, and shows nothing that is typed while a key is derived between two
    /// questions.
    package func during<R, E: Error>(_ step: LifecycleStep, _ body: () throws(E) -> R) throws(E) -> R {
        guard let text = step.text else { return try body() }
        let mayBeTypedAt = step == .derivingKey && terminal.isAvailable && console.errorIsTerminal
        let echoOff = mayBeTypedAt ? EchoOff() : nil
        defer { echoOff?.end() }
        return try output.working(text, body)
    }
}

extension LifecycleStep {
    /// What is said of a step; nil for one that takes no time.
    fileprivate var text: String? {
        switch self {
        case .derivingKey, .makingFile, .writingSlot: "deriving key…"
        case .copyingRecords: "moving the vault…"
        case .comparingRecords: "comparing…"
        case .backingUp: "copying…"
        case .rekeying: "encrypting all records again…"
        case .writingNote, .makingRoom, .claiming, .writingRecord: nil
        }
    }
}
