import HSIP

extension FuzzTarget {
    /// A code between machines: one that is read is written as it was, and is never taken for one between people.
    static func machineCode(_ bytes: [UInt8]) -> String? {
        if let code = try? MachineCode(bytes: bytes), code.bytes != bytes { return "other bytes come back" }
        let code: MachineCode
        do throws(HSIPError) {
            code = try CodeText.machineCode(in: bytes)
        } catch {
            return nil
        }
        guard (try? CodeText.machineCode(in: Array(code.text.utf8))) == code else {
            return "another code comes back"
        }
        do throws(HSIPError) {
            _ = try CodeText.codes(in: Array(code.text.utf8))
            return "taken for a code between people"
        } catch {
            return error == .machineCode(code.kind) ? nil : "refused as \(error)"
        }
    }
}
