internal import Glibc
package import RecordStore
internal import System
package import VaultCrypto

/// Asks `hsip-hardware`, one process for each request.
package struct HardwareClient: Sendable {
    /// The program's name.
    package static let name = "hsip-hardware"
    /// Seconds until a request is given up: slow chips need a second or two for each step.
    package static let usual = 60

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

    private func ask(_ request: HardwareRequest) throws(HardwareError) -> HardwareAnswer {
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
