/// The question for a PIN: the slot that it opens, and the cost of a wrong one.
package enum PINQuestion {
    /// The question for the PIN of a slot of the TPM, without a colon at its end.
    ///
    /// With `hasOtherWay` an empty answer asks for the passphrase.
    package static func title(slot number: UInt32, triesLeft: UInt32?, hasOtherWay: Bool) -> String {
        let left = triesLeft.map { " (the TPM accepts \($0) wrong ones)" } ?? ""
        return "PIN of slot \(number)\(left)" + (hasOtherWay ? ", or Enter for the passphrase" : "")
    }
}
