internal import AgentProtocol

extension ControlParts {
    /// The open vault, for a program on the bus: it is opened without a person where it can be, else by asking one, unless
    /// that may not be now.
    ///
    /// - Throws: as opening; `busy` where too many calls of its process wait; `locked` where the window was closed or left a short time ago, or
    ///   programs leave too many questions without an answer.
    func unlock(
        for program: BusCaller,
        _ caller: ControlCaller,
        _ prompter: (any Prompter)?,
        _ interest: Cancellation
    ) throws(AgentError) -> OpenVault {
        if let open = core.openVault { return open }
        let name = BusQuestions.name(of: program.requester)
        let isQuiet = program.mayAsk && gate.questions.refusesWindow(to: name)
        let window = BusWindow(gate.questions, of: name, hasLeft: program.hasLeft)
        let prompter = program.mayAsk && !isQuiet ? prompter : nil
        let process = prompter == nil ? nil : program.process
        if let process {
            do throws(Refusal) { try gate.questions.wait(process, of: name) } catch { throw .refused(error) }
        }
        defer { if let process { gate.questions.stopWaiting(process, of: name) } }
        do throws(AgentError) {
            return try core.unlock(
                asking: prompter.map { PrompterAsker($0, for: program, window) },
                by: caller.peer,
                interest
            )
        } catch {
            throw error == .refused(.locked) && isQuiet ? .refused(.quietWindow) : window.ended(by: error)
        }
    }
}
