internal import CSystemd

extension BusMessage {
    package var path: String? { unsafe Self.text(sd_bus_message_get_path(message)) }
    package var interface: String? { unsafe Self.text(sd_bus_message_get_interface(message)) }
    package var member: String? { unsafe Self.text(sd_bus_message_get_member(message)) }
    /// The connection that sent it, as the bus vouches for it.
    package var sender: String? { unsafe Self.text(sd_bus_message_get_sender(message)) }
    /// The types of its content.
    package var signature: String { unsafe Self.text(sd_bus_message_get_signature(message, 1)) ?? "" }

    package var isCall: Bool { unsafe sd_bus_message_is_method_call(message, nil, nil) > 0 }
    package var isError: Bool { unsafe sd_bus_message_is_method_error(message, nil) > 0 }

    /// The name of an error; nil for what is none.
    package var errorName: String? {
        guard let error = unsafe sd_bus_message_get_error(message) else { return nil }
        return unsafe Self.text(error.pointee.name)
    }

    package func isSignal(_ interface: String, _ member: String) -> Bool {
        unsafe sd_bus_message_is_signal(message, interface, member) > 0
    }

    /// Whether the caller waits for an answer.
    package var wantsAnswer: Bool { unsafe sd_bus_message_get_expect_reply(message) > 0 }

    /// The number of the call that this answers; nil for what is no answer.
    package var answers: UInt64? {
        var cookie: UInt64 = 0
        return unsafe sd_bus_message_get_reply_cookie(message, &cookie) >= 0 ? cookie : nil
    }
}
