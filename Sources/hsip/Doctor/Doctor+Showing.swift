internal import Commands
internal import Presentation
internal import Setup
internal import Text

extension Doctor {
    func show(_ findings: [Finding], _ context: Context) throws {
        let exit = findings.first { $0.state == .problem && !$0.isFixed }?.exit ?? 0
        for finding in findings {
            guard context.console.outputIsTerminal else {
                try context.output.line(Self.separated(finding, context.output.display))
                continue
            }
            try Self.print(finding, context.output)
        }
        context.exitStatus = exit
        try context.output.succeed([
            "findings": .list(findings.map(\.json)), "exit": .integer(Int64(exit)),
        ])
    }

    private static func print(_ finding: Finding, _ output: Output) throws(ConsoleError) {
        let word = finding.isFixed ? "fixed" : finding.state.word
        let indent = String(repeating: " ", count: 9)
        let head = output.style.paint(word, finding.isFixed ? .good : finding.state.tone)
        let gap = String(repeating: " ", count: indent.count - word.count)
        try output.sentence(head + gap + output.display.text(finding.message), indent: indent.count)
        guard finding.state != .ok, !finding.isFixed else { return }
        if let reason = finding.reason { try output.sentence(indent + output.display.text(reason)) }
        let arrow = output.console.isUTF8 ? "→ " : "> "
        if let hint = finding.hint {
            try output.sentence(indent + arrow + output.display.text(hint), indent: 2)
        }
    }

    /// Names that others gave are cleaned here too: what is piped is read by people as well.
    private static func separated(_ finding: Finding, _ display: Display) -> String {
        [
            finding.check.rawValue, finding.state.word, finding.code ?? "", "\(finding.exit)",
            finding.message, finding.reason ?? "", finding.hint ?? "", finding.isFixed ? "fixed" : "",
        ].map { Table.escaped(display.text(Display.withoutIsolates($0))) }.joined(separator: "\t")
    }
}
