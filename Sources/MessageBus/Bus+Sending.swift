internal import CSystemd

extension Bus {
    /// Sends a message; false when it could not be written whole, or the connection is gone.
    @discardableResult
    package func send(_ message: BusMessage) -> Bool {
        guard !message.isBroken else { return false }
        return unsafe sd_bus_send(bus, message.message, nil) >= 0
    }

    /// Sends a call; its answer comes out of `next`, and `answers` there is the number that this returns.
    package func begin(_ message: BusMessage) -> UInt64? {
        guard !message.isBroken else { return nil }
        var cookie: UInt64 = 0
        return unsafe sd_bus_send(bus, message.message, &cookie) >= 0 ? cookie : nil
    }

    /// Answers a call; an answer that cannot be written becomes an error.
    package func answer(_ call: BusMessage, _ body: (BusMessage) -> Void = { _ in }) {
        guard call.wantsAnswer, let reply = BusMessage(answering: call) else { return }
        body(reply)
        guard !send(reply) else { return }
        refuse(call, .failed, "the answer cannot be written")
    }

    /// Answers a call with an error.
    package func refuse(_ call: BusMessage, _ error: BusError, _ text: String) {
        guard call.wantsAnswer, let reply = BusMessage(refusing: call, error, text) else { return }
        send(reply)
    }

    /// Waits until all that was sent has left.
    package func flush() { _ = unsafe sd_bus_flush(bus) }
}
