internal import Glibc
package import RecordStore
internal import System
package import VaultCrypto

/// Asks `hsip-hardware`, one process for each request.
package struct HardwareClient: Sendable {
    /// The program's name.
    package static let name = "hsip-hardware"
    /// Seconds until a request is given up: a key waits up to 30 seconds for each of two touches.
    package static let usual = 100

    private let program: String?
    private let seconds: Int

    /// The program that is installed with this one; it is looked for when it is asked.
    package init() { (program, seconds) = (nil, Self.usual) }

    /// A program by its path, and the seconds that it has.
    package init(program: String, seconds: Int = usual) { (self.program, self.seconds) = (program, seconds) }

    /// How the TPM counts wrong PINs.
    ///
    /// - Parameter params: a slot that this TPM must have sealed; no try is spent on it.
    /// - Returns: the count, of all who use the TPM.
    /// - Throws: what keeps this user from the TPM; `noHelper`, `helperFailed`.
    package func devices(_ params: TPM2Params? = nil) throws(HardwareError) -> TPMLockout {
        guard case .devices(let lockout) = try ask(.devices(params)) else { throw .helperFailed }
        return lockout
    }

    /// Seals 32 bytes in the TPM.
    ///
    /// - Returns: what a slot keeps.
    /// - Throws: what the TPM refuses; `noHelper`, `helperFailed`.
    package func seal(_ secret: Secret, pin: StretchedPIN?, registers: UInt32) throws(HardwareError)
        -> TPM2Params
    {
        guard case .sealed(let params) = try ask(.seal(secret, auth: pin?.auth, registers: registers)),
            params.hasPIN == (pin != nil), params.registers == registers
        else { throw .helperFailed }
        return params
    }

    /// What the TPM sealed.
    ///
    /// - Returns: 32 bytes.
    /// - Throws: what the TPM refuses; `noHelper`, `helperFailed`.
    package func open(_ params: TPM2Params, pin: StretchedPIN?) throws(HardwareError) -> Secret {
        guard case .opened(let secret) = try ask(.open(params, auth: pin?.auth)) else { throw .helperFailed }
        return secret
    }

    /// The security keys that are plugged in, and which of these slots each of them opens.
    ///
    /// - Throws: what keeps this login from them; `noHelper`, `helperFailed`.
    package func keys(_ slots: [FIDO2Params] = []) throws(HardwareError) -> [KeyLook] {
        let slots = Array(slots.prefix(HardwareRequest.slots))
        guard case .keys(let keys) = try ask(.keys(slots)),
            keys.allSatisfy({ $0.matches.count == slots.count })
        else { throw .helperFailed }
        return keys
    }

    /// Makes a credential on a security key, with two touches.
    ///
    /// - Returns: what a slot keeps, and the 32 bytes that the key makes of it.
    /// - Throws: what the key refuses; `noHelper`, `helperFailed`.
    package func enrol(path: String, touchOnly: Bool, pin: Secret?) throws(HardwareError) -> (
        params: FIDO2Params, secret: Secret
    ) {
        let request = HardwareRequest.enrol(path: path, touchOnly: touchOnly, pin: pin)
        guard case .enrolled(let params, let secret) = try ask(request), !touchOnly || !params.isVerified
        else { throw .helperFailed }
        return (params, secret)
    }

    /// Lets a security key make the secret of a slot, with one touch; the wait for it ends once `stop` can be read.
    ///
    /// - Returns: 32 bytes.
    /// - Throws: what the key refuses; `noHelper`, `helperFailed`.
    package func touch(_ params: FIDO2Params, path: String, pin: Secret?, until stop: Int32? = nil)
        throws(HardwareError) -> Secret
    {
        let request = HardwareRequest.touch(params, path: path, pin: pin)
        guard case .opened(let secret) = try ask(request, until: stop) else { throw .helperFailed }
        return secret
    }

    private func ask(
        _ request: HardwareRequest,
        until stop: Int32? = nil
    ) throws(HardwareError) -> HardwareAnswer {
        guard let path = program ?? InstalledProgram.path(of: Self.name) else { throw .noHelper }
        let answer: HardwareAnswer?
        do {
            var process = ChildProcess(path: path)
            process.seconds = seconds
            process.secretInput = Secret(try request.encoded())
            let pipe = try Pipe()
            defer { pipe.close() }
            process.outputEnd = pipe.writeEnd
            process.leadsSession = true
            process.stop = stop
            guard try process.run().status == 0 else { throw HardwareError.helperFailed }
            answer = try HardwareAnswer(try Self.content(of: pipe))
        } catch CryptoError.outOfMemory {
            throw .tpm(.outOfMemory)
        } catch ProgramError.outOfMemory {
            throw .tpm(.outOfMemory)
        } catch {
            throw .helperFailed
        }
        switch answer {
        case .failed(let error)?: throw .tpm(error)
        case .keyFailed(let error)?: throw .key(error)
        case let answer?: return answer
        case nil: throw .helperFailed
        }
    }

    /// What is in the pipe after the program's end; a process that it left behind is not waited for.
    private static func content(of pipe: Pipe) throws -> SecretBytes {
        var count: Int32 = 0
        guard unsafe ioctl(pipe.readEnd, UInt(FIONREAD), &count) == 0,
            (1...Int32(HardwareMessage.limit)).contains(count)
        else { throw HardwareError.helperFailed }
        var bytes = try SecretBytes(count: Int(count))
        let got = try bytes.withMutableBytes { span throws(ProgramError) in
            try Descriptor(pipe.readEnd).read(into: &span)
        }
        guard got == Int(count) else { throw HardwareError.helperFailed }
        return bytes
    }
}

/// Why a request to hardware failed.
package enum HardwareError: Error, Equatable, Sendable {
    /// `hsip-hardware` is not installed.
    case noHelper
    /// `hsip-hardware` did not start, took too long, or gave no answer.
    case helperFailed
    /// What the TPM or the way to it refused.
    case tpm(TPMError)
    /// What the security key or the way to it refused.
    case key(KeyError)
}
