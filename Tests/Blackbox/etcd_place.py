"""A real etcd on this machine, with certificates and users."""

import atexit
import base64
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile

from agents import clock

PASSWORD = 'mark7c21"$\\é\'x'
"""What etcdctl and hsip get over their standard input, with every sign that JSON or curl's settings escape."""
ROOT = "root-word"
TOOLS = [tool for tool in ("etcd", "etcdctl", "openssl", "curl") if shutil.which(tool) is None]


def free_port() -> int:
    """A port that nothing has, below those that the kernel gives to connections."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port


class Authority:
    """Signs certificates of servers."""

    def __init__(self, folder: str, name: str = "ca"):
        self.folder, self.name = folder, name
        self.openssl("req", "-x509", "-days", "2", "-subj", f"/O={name}", *self.new_key(name), "-out", self.path(name, "pem"))

    def openssl(self, *words: str, **environment: str):
        subprocess.run(["openssl", *words], check=True, capture_output=True, cwd=self.folder, env=os.environ | environment)

    def path(self, name: str, ending: str) -> str:
        return os.path.join(self.folder, f"{name}.{ending}")

    @property
    def file(self) -> str:
        return self.path(self.name, "pem")

    def new_key(self, name: str) -> tuple[str, ...]:
        return ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", self.path(name, "key"))

    def certify(self, name: str, host: str = "IP:127.0.0.1", days: int = 2, subject: str = "/O=hsip"):
        """A certificate that ends in so many days; a negative number: that many days ago."""
        with open(self.path(name, "ext"), "w", encoding="ascii") as file:
            file.write(f"subjectAltName={host}\nextendedKeyUsage=serverAuth,clientAuth\n")
        self.openssl("req", "-new", "-subj", subject, *self.new_key(name), "-out", self.path(name, "csr"))
        self.openssl("x509", "-req", "-in", self.path(name, "csr"), "-days", str(abs(days)), "-CA", self.file,
                     "-CAkey", self.path(self.name, "key"), "-CAcreateserial", "-extfile", self.path(name, "ext"),
                     "-out", self.path(name, "pem"), **(clock(f"{2 * days}d") if days < 0 else {}))


class Etcd:
    """Nodes on free ports; ended with the test."""

    def __init__(self, case, nodes: int = 1, certificate: str = "server", **settings: str):
        self.folder = tempfile.mkdtemp(prefix="hsip-etcd-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        self.running: list[subprocess.Popen] = []
        case.addCleanup(self.end)
        atexit.register(self.end)
        self.authority = Authority(self.folder)
        self.authority.certify("server")
        self.authority.certify("client")
        self.certificate, self.settings, self.root = certificate, settings, None
        self.ports = [(free_port(), free_port()) for _ in range(nodes)]
        self.state = "new"
        self.running = [self.start(node) for node in range(nodes)]
        self.control("put", "ready", "yes")

    # Nodes

    def start(self, node: int) -> subprocess.Popen:
        """Starts a node, also once more."""
        client, peer = self.ports[node]
        names = ",".join(f"n{number}=http://127.0.0.1:{port}" for number, (_, port) in enumerate(self.ports))
        own = f"https://127.0.0.1:{client}"
        log = open(os.path.join(self.folder, f"log-{node}"), "ab")
        process = subprocess.Popen(
            ["etcd", "--name", f"n{node}", "--data-dir", self.data(node), "--listen-client-urls", own,
             "--advertise-client-urls", own, "--listen-peer-urls", f"http://127.0.0.1:{peer}",
             "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}", "--initial-cluster", names,
             "--initial-cluster-token", self.folder, "--initial-cluster-state", self.state,
             "--cert-file", self.authority.path(self.certificate, "pem"),
             "--key-file", self.authority.path(self.certificate, "key"),
             "--logger", "zap", "--log-level", "error",
             *(f"--{name.replace('_', '-')}={value}" for name, value in self.settings.items())],
            stdout=log, stderr=log, stdin=subprocess.DEVNULL, env={"PATH": "/usr/bin:/bin"})
        log.close()
        return process

    def data(self, node: int) -> str:
        return os.path.join(self.folder, f"data-{node}")

    def signal(self, number: int, *nodes: int):
        for node in nodes:
            self.running[node].send_signal(number)

    def stop(self):
        for process in self.running:
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()

    def again(self):
        """Starts all nodes again."""
        self.running = [self.start(node) for node in range(len(self.ports))]
        self.control("get", "ready")

    def end(self):
        if os.path.isdir(self.folder):
            self.stop()
            shutil.rmtree(self.folder, ignore_errors=True)

    # What an operator does

    @property
    def endpoints(self) -> str:
        return ",".join(f"https://127.0.0.1:{client}" for client, _ in self.ports)

    @property
    def environment(self) -> dict[str, str]:
        """etcdctl as an administrator."""
        found = {"PATH": "/usr/bin:/bin", "ETCDCTL_API": "3", "ETCDCTL_ENDPOINTS": self.endpoints,
                 "ETCDCTL_CACERT": self.authority.file, "ETCDCTL_CERT": self.authority.path("client", "pem"),
                 "ETCDCTL_KEY": self.authority.path("client", "key"), "ETCDCTL_DIAL_TIMEOUT": "20s", "ETCDCTL_COMMAND_TIMEOUT": "20s"}
        return found | ({"ETCDCTL_USER": f"root:{ROOT}"} if self.root else {})

    def control(self, *words: str, given: str | bytes = "") -> str:
        done = subprocess.run(["etcdctl", *words], input=given.encode() if isinstance(given, str) else given,
                              capture_output=True, env=self.environment)
        if done.returncode != 0:
            raise AssertionError(f"etcdctl {' '.join(words)}: {done.stderr.decode()}{done.stdout.decode()}")
        return done.stdout.decode()

    def add_user(self, name: str, role: str, password: str = PASSWORD):
        self.control("user", "add", name, "--interactive=false", given=password + "\n")
        self.control("user", "grant-role", name, role)

    def enable_users(self, *writers: str, readers: tuple[str, ...] = (), prefix: str = "/hsip/"):
        for role, kind in (("writer", "readwrite"), ("reader", "read")):
            self.control("role", "add", role)
            self.control("role", "grant-permission", role, kind, "--prefix=true", prefix)
        for name in writers:
            self.add_user(name, "writer")
        for name in readers:
            self.add_user(name, "reader")
        self.add_user("root", "root", ROOT)
        self.control("auth", "enable")
        self.root = True

    def values(self, prefix: str = "/hsip/") -> dict[str, bytes]:
        """Everything below a prefix."""
        found = json.loads(self.control("get", prefix, "--prefix", "-w", "json")).get("kvs", [])
        return {base64.b64decode(one["key"]).decode(): base64.b64decode(one.get("value", "")) for one in found}

    def replace(self, values: dict[str, bytes], prefix: str = "/hsip/"):
        """From now on this is everything below the prefix."""
        self.control("del", prefix, "--prefix")
        for key, value in values.items():
            self.control("put", "--", key, given=value)

    def keys(self, prefix: str = "/hsip/") -> list[str]:
        return self.control("get", prefix, "--prefix", "--keys-only").split()
