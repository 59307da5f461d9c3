internal import RecordStore

extension KeyError {
    /// The error for a code of libfido2; the number of tries left after a wrong PIN must be asked separately.
    init(code: Int32) {
        switch code {
        case 0x2E: self = .otherKey
        case 0x31, 0x3F: self = .pinWrong(triesLeft: nil)
        case 0x34: self = .pinPaused
        case 0x32, 0x3C: self = .pinBlocked
        case 0x36: self = .pinNeeded
        case 0x35: self = .noPIN
        case 0x3A, 0x2F: self = .timeout
        case 0x27: self = .refused
        case 0x2D: self = .cancelled
        case 0x06: self = .busy
        case -2, -1: self = .gone
        default: self = .failed(code: code)
        }
    }
}
