extension AgentClient {
    /// Reads until the answer to a request is there; questions that come before it are shown.
    static func await(
        _ number: UInt32,
        _ channel: FrameChannel,
        _ caller: (any AgentCaller)?
    ) throws(AgentError) -> Answered {
        let answered: Result<Answered, AgentError>
        do throws(FrameError) {
            answered = try read(number, channel, caller)
        } catch {
            throw .lost(error)
        }
        return try answered.get()
    }

    static func read(
        _ number: UInt32,
        _ channel: FrameChannel,
        _ caller: (any AgentCaller)?,
        until end: Int64? = nil
    ) throws(FrameError) -> Result<Answered, AgentError> {
        var pending = PendingFrames()
        while true {
            let left = end.map { Int32(clamping: max(0, $0 - FrameChannel.now())) } ?? -1
            let frame = try channel.next(within: left, until: end) { (header) throws(FrameError) in
                guard header.request == number || header.kind == .event else { throw .unexpected }
                if header.kind == .bytes || header.kind == .data { try pending.admit(header) }
            }
            switch frame.kind {
            case .bytes, .data: pending.take(frame)
            case .event:
                if let event = try? AgentEvent(encoded: frame.plain) { caller?.hear(event) }
            case .question: try answer(frame, channel, caller)
            case .reply:
                return .success(Answered(reply: try AgentReply(encoded: frame.plain), pending: pending))
            case .error: return .failure(try AgentError(encoded: frame.plain))
            case .request, .answer, .cancel: throw .unexpected
            }
        }
    }

    private static func answer(
        _ frame: Frame,
        _ channel: FrameChannel,
        _ caller: (any AgentCaller)?
    ) throws(FrameError) {
        let question = try Question(encoded: frame.plain)
        let answer = caller?.answer(question) ?? .nobody
        var frames: [Frame] = []
        if case .passphrase(let secret) = answer {
            frames.append(Frame(secret: secret, request: frame.request))
        }
        frames.append(Frame(.answer, request: frame.request, try answer.text.encoded()))
        try channel.send(frames)
    }
}
