// swift-tools-version: 6.2
import PackageDescription

/// One set of compiler settings for every target: Swift 6, no unmarked unsafe code, no warnings.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
]

/// A module: it may import the targets that it names here, and nothing else.
func module(_ name: String, _ imports: [Target.Dependency], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: imports, exclude: exclude, swiftSettings: settings)
}

func tests(_ name: String, _ imports: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: imports + ["Support"], exclude: exclude, swiftSettings: settings)
}

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "hsip-vault",
    products: [
        // With every module that its public API mentions, and both stores.
        .library(
            name: "VaultKit",
            targets: [
                "VaultKit", "FileStore", "SecretServiceStore", "RecordStore", "HSIP", "SSHFormats",
                "VaultPolicy", "Secrets", "SharedLog", "VaultCrypto", "SecretMemory",
            ]
        ),
        .library(name: "HSIP", targets: ["HSIP"]),
        .executable(name: "hsip", targets: ["hsip"]),
        .executable(name: "hsip-agent", targets: ["hsip-agent"]),
        .executable(name: "hsip-secrets", targets: ["hsip-secrets"]),
        .executable(name: "hsip-hardware", targets: ["hsip-hardware"]),
        // libhsip.so.1; its product cannot be called hsip, as the program is.
        .library(name: "LibHSIP", type: .dynamic, targets: ["LibHSIP"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    ],
    targets: [
        // 0: C, no Swift
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CSecret", pkgConfig: "libsecret-1", providers: [.apt(["libsecret-1-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CHSIP"),
        .systemLibrary(name: "CMLKEM"),
        .target(name: "CLinux"),
        .target(name: "CSecretLoader", dependencies: ["CSecret"]),
        .target(name: "CPictureLoader"),
        .target(name: "CSQLiteLoader"),
        .target(name: "CFIDOLoader"),
        .target(name: "CTSSLoader"),
        .target(name: "CBcrypt", dependencies: ["CSodium"]),
        .target(name: "CBLAKE3"),
        // 1: secret memory, and the primitives that work on it. Two modules: a new declaration has every file compiled
        // again that uses any name of its module. For the memory that is nearly all files, for the primitives one in eight.
        module("SecretMemory", ["CSodium"]),
        module("VaultCrypto", ["SecretMemory", "CSodium", "CBLAKE3", "CMLKEM", crypto, cryptoExtras]),
        // The only way to a file by its name: opened without waiting, locked, put in its place whole
        module("Files", ["VaultCrypto", "CLinux"]),
        module("Text", ["VaultCrypto"]),
        // 2: pure
        module("VaultPolicy", []),
        module("HSIP", ["VaultCrypto"]),
        module("RecordStore", ["Text", "VaultCrypto", "Files", "CLinux"]),
        module("SharedLog", ["VaultCrypto"]),
        module("SSHFormats", ["VaultCrypto", "CBcrypt", crypto, cryptoExtras, asn1]),
        module(
            "Secrets",
            ["Text", "VaultCrypto", crypto, "VaultPolicy", "RecordStore", cryptoExtras, "SSHFormats"]
        ),
        // 3: adapters
        module("FileStore", ["Files", "RecordStore", "Text", "VaultCrypto", "CLinux", "CSQLiteLoader"]),
        module("SecretServiceStore", ["Files", "RecordStore", "VaultCrypto", "CSecretLoader"]),
        module("Hardware", ["RecordStore", "VaultCrypto", "CFIDOLoader", "CLinux", "CTSSLoader"]),
        // 4: the one actor
        module(
            "VaultKit",
            [
                "VaultCrypto", "Files", "Text", "RecordStore", "VaultPolicy", "SSHFormats", "Secrets", "HSIP",
                "SharedLog", "CLinux",
            ]
        ),
        // 5: talking to people, starting programs, finding the vault, the agent
        module("System", ["Files", "VaultCrypto", "CLinux"]),
        // A module of its own, so that hsip starts without libsystemd and the six libraries that it brings
        module("MessageBus", ["CSystemd"]),
        // Reaches the network through git and curl, so it imports nothing that could hold a key.
        module("LogCarriers", ["Files", "System", "Text", "VaultCrypto", "CLinux"]),
        module(
            "VaultLifecycle",
            [
                "Files", "System", "Text", "VaultKit", "FileStore", "SecretServiceStore", "RecordStore",
                "Secrets", "VaultCrypto", "CLinux",
            ]
        ),
        module(
            "Presentation",
            [
                "VaultLifecycle", "System", "Text", "VaultKit", "VaultPolicy", "HSIP", "SSHFormats",
                "RecordStore", "Secrets", "SharedLog", "VaultCrypto", "Files", "CPictureLoader", "CLinux",
            ]
        ),
        module(
            "AgentProtocol",
            [
                "Files", "Presentation", "Text", "VaultKit", "VaultPolicy", "HSIP", "RecordStore",
                "SSHFormats", "VaultCrypto", "CLinux",
            ]
        ),
        module(
            "AgentKit",
            [
                "Files", "AgentProtocol", "MessageBus", "Presentation", "System", "Text", "VaultKit",
                "VaultPolicy", "RecordStore", "HSIP", "SSHFormats", "VaultCrypto", "CLinux", "CSystemd",
            ]
        ),
        module(
            "ServiceKit",
            [
                "Files", "AgentProtocol", "MessageBus", "System", "VaultKit", "Secrets", "RecordStore",
                "VaultCrypto", "Presentation", "Text", "CLinux",
            ]
        ),
        // 6: parts of the command line that can be read alone
        module(
            "Setup",
            [
                "AgentProtocol", "Presentation", "VaultLifecycle", "System", "Text", "VaultPolicy",
                "VaultKit", "FileStore", "SecretServiceStore", "RecordStore", "HSIP", "SSHFormats", "Secrets",
                "VaultCrypto", "CLinux", "Files",
            ]
        ),
        // The commands of hsip by feature, above what they share
        module(
            "Commands",
            [
                "Presentation", "System", "Text", "VaultKit", "VaultLifecycle", "SecretServiceStore",
                "Secrets", "RecordStore", "SSHFormats", "VaultCrypto", "AgentProtocol", "VaultPolicy",
                "FileStore", "CLinux", arguments, "LogCarriers", "HSIP", "SharedLog", "Files", "Setup",
            ]
        ),
        // 7: composition roots
        .executableTarget(
            name: "hsip",
            dependencies: [
                "Files", "Commands", "AgentProtocol", "Presentation", "Setup", "VaultLifecycle",
                "LogCarriers", "RecordStore", "VaultPolicy", "System", "Text", "VaultKit", "FileStore",
                "SecretServiceStore", "HSIP", "SSHFormats", "SharedLog", "Secrets", "VaultCrypto", "CLinux",
                arguments,
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "hsip-agent",
            dependencies: [
                "Files", "AgentKit", "AgentProtocol", "Presentation", "VaultLifecycle", "VaultPolicy",
                "System", "Text", "VaultKit", "FileStore", "SecretServiceStore", "RecordStore", "HSIP",
                "SSHFormats", "VaultCrypto", "CLinux",
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "hsip-secrets",
            dependencies: [
                "ServiceKit", "AgentKit", "AgentProtocol", "MessageBus", "System", "Presentation",
                "VaultLifecycle", "FileStore", "Text", "VaultCrypto", "CLinux",
            ],
            swiftSettings: settings
        ),
        // The only program that loads what talks to devices.
        .executableTarget(name: "hsip-hardware", dependencies: ["Hardware"], swiftSettings: settings),
        // For programs in other languages: only what the header declares is seen from outside, and the library
        // stays where it is once it is loaded, as its threads do.
        .target(
            name: "LibHSIP",
            dependencies: [
                "CHSIP", "CLinux", "Presentation", "Secrets", "AgentProtocol", "VaultLifecycle", "System",
                "Text", "VaultKit", "FileStore", "SecretServiceStore", "RecordStore", "HSIP", "SSHFormats",
                "VaultCrypto",
            ],
            exclude: ["exports.map"],
            swiftSettings: settings,
            linkerSettings: [
                .unsafeFlags(
                    [
                        "--version-script=\(Context.packageDirectory)/Sources/LibHSIP/exports.map",
                        "-soname=libhsip.so.1", "-z", "nodelete",
                    ].flatMap { ["-Xlinker", $0] } + ["-use-ld=lld"]
                ),
                // A program that loads it needs no Swift; --static-swift-stdlib is for programs only.
                .unsafeFlags(["-static-stdlib"], .when(configuration: .release)),
            ]
        ),
        // Benchmarks and tests
        .target(
            name: "CBareSecret",
            dependencies: ["CSecret"],
            path: "Benchmarks/CBareSecret",
            linkerSettings: ["secret-1", "gio-2.0", "gobject-2.0", "glib-2.0"].map { .linkedLibrary($0) }
        ),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "VaultKit", "FileStore", "SecretServiceStore", "RecordStore", "HSIP", "SSHFormats",
                "VaultCrypto", "CMLKEM", "CSodium", "CSQLiteLoader", "CBareSecret",
            ],
            path: "Benchmarks",
            exclude: ["README.md", "RESULTS.md", "CBareSecret"],
            swiftSettings: settings
        ),
        .target(
            name: "Support",
            dependencies: ["System", "VaultCrypto", "HSIP", "RecordStore", "SSHFormats", "CLinux"],
            path: "Tests/Support",
            exclude: ["provider.py"],
            swiftSettings: settings
        ),
        .target(
            name: "KeyringFake",
            dependencies: ["SecretServiceStore", "RecordStore", "VaultCrypto"],
            path: "Tests/KeyringFake",
            swiftSettings: settings
        ),
        tests("VaultCryptoTests", ["VaultCrypto", "CBLAKE3"]),
        tests("FilesTests", ["Files", "VaultCrypto"]),
        .target(name: "CMemorySearch", path: "Tests/CMemorySearch"),
        .target(name: "CLoginFake", dependencies: ["CSystemd"], path: "Tests/CLoginFake"),
        .target(name: "CEmulatorLink", path: "Tests/CEmulatorLink"),
        // hsip-hardware with an emulator in the place of the device.
        .executableTarget(
            name: "emulated-hardware",
            dependencies: ["Hardware", "RecordStore", "CEmulatorLink"],
            path: "Tests/EmulatedHardware",
            swiftSettings: settings
        ),
        tests(
            "HardwareTests",
            [
                "Hardware", "VaultLifecycle", "FileStore", "RecordStore", "VaultCrypto", "CEmulatorLink",
                "CMemorySearch", "emulated-hardware", "hsip-hardware",
            ],
            exclude: ["authenticator.py"]
        ),
        tests("HSIPTests", ["HSIP", "Presentation", "VaultCrypto", "CMemorySearch"]),
        .target(
            name: "Explorer",
            dependencies: ["HSIP", "SharedLog", "VaultCrypto"],
            path: "Tests/Explorer",
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "explore",
            dependencies: ["Explorer", arguments],
            path: "Tests/explore",
            swiftSettings: settings
        ),
        tests("ExplorerTests", ["Explorer", "HSIP"]),
        .target(
            name: "Fuzz",
            dependencies: ["SSHFormats", "Secrets", "Text", "RecordStore", "HSIP", "VaultCrypto"],
            path: "Tests/Fuzz",
            swiftSettings: settings
        ),
        tests(
            "SSHFormatsTests",
            ["SSHFormats", "Secrets", "HSIP", "CBcrypt", "VaultCrypto", "CMemorySearch", "Fuzz"]
        ),
        tests("TextTests", ["Text", "VaultCrypto"]),
        tests("RecordStoreTests", ["RecordStore", "VaultCrypto"]),
        tests("FileStoreTests", ["Files", "FileStore", "RecordStore", "VaultCrypto", "CMemorySearch"]),
        tests(
            "SecretServiceStoreTests",
            ["SecretServiceStore", "KeyringFake", "RecordStore", "VaultCrypto"]
        ),
        tests("SharedLogTests", ["SharedLog", "VaultCrypto"]),
        tests("SecretsTests", ["Secrets", "VaultCrypto", "VaultPolicy", "RecordStore"]),
        tests("VaultPolicyTests", ["VaultPolicy"]),
        tests(
            "VaultLifecycleTests",
            [
                "VaultLifecycle", "System", "FileStore", "SecretServiceStore", "RecordStore", "Secrets",
                "VaultKit", "VaultPolicy", "Text", "VaultCrypto",
            ]
        ),
        tests(
            "AgentProtocolTests",
            [
                "AgentProtocol", "Text", "VaultKit", "VaultPolicy", "HSIP", "RecordStore", "SSHFormats",
                "VaultCrypto", "CLinux",
            ]
        ),
        tests("SystemTests", ["MessageBus"]),
        tests("LogCarriersTests", ["LogCarriers", "RecordStore", "System", "Text", "VaultCrypto"]),
        tests(
            "AgentKitTests",
            [
                "Files", "AgentKit", "AgentProtocol", "System", "Text", "Secrets", "VaultKit", "VaultPolicy",
                "HSIP", "RecordStore", "FileStore", "SSHFormats", "VaultCrypto", "CLinux", "CMemorySearch",
                "CLoginFake", "Setup",
            ]
        ),
        tests(
            "HsipAgentTests",
            [
                "hsip-agent", "AgentKit", "AgentProtocol", "VaultLifecycle", "VaultKit", "FileStore",
                "RecordStore", "SSHFormats", "VaultCrypto",
            ]
        ),
        tests(
            "PresentationTests",
            [
                "Presentation", "VaultLifecycle", "System", "VaultKit", "VaultPolicy", "HSIP", "SSHFormats",
                "RecordStore", "Secrets", "VaultCrypto", "SharedLog", "Files", "Text", "CLinux",
            ]
        ),
        tests(
            "HsipTests",
            [
                "hsip", "Commands", "AgentProtocol", "VaultLifecycle", "Presentation", "System", "Text",
                "VaultKit", "RecordStore", "SecretServiceStore", "SSHFormats", "Secrets", "VaultCrypto",
                arguments, "Setup",
            ]
        ),
        tests(
            "VaultKitTests",
            [
                "VaultKit", "VaultPolicy", "Secrets", "HSIP", "SSHFormats", "RecordStore", "FileStore",
                "SecretServiceStore", "KeyringFake", "SharedLog", "Text", "VaultCrypto",
            ]
        ),
    ]
)

// What works on secrets, files and calls is built for speed; the rest, which the programs alone have, to be small.
var quick: Set = [
    "SecretMemory", "VaultCrypto", "Text", "Files", "VaultPolicy", "HSIP", "RecordStore", "Secrets",
    "SSHFormats", "VaultKit", "SharedLog", "FileStore", "SecretServiceStore", "AgentProtocol", "AgentKit",
    "benchmarks",
]
// VaultKit leaves the computing to the modules below it, and this store waits for the keyring. They are built to be small only
// by Scripts/lib.sh: a package that has a flag for the compiler could not be used by another.
if Context.environment["HSIP_INSTALLED"] != nil { quick.subtract(["VaultKit", "SecretServiceStore"]) }
for target in package.targets where target.type != .test && !quick.contains(target.name) {
    target.swiftSettings = target.swiftSettings.map {
        $0 + [.unsafeFlags(["-Osize"], .when(configuration: .release))]
    }
}
