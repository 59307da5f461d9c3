"""A proxy that cuts connections: a number of bytes of an answer get through, and no more."""

import selectors
import socket
import threading


class Proxy:
    """Forwards a port of this machine to another one; ends with the test."""

    def __init__(self, case, port: int, target: int):
        self.port, self._target = port, target
        self.sizes: list[int] = []
        """How many bytes came back over each connection."""
        self._number, self._limit, self._count = None, 0, 0
        self._listener = socket.create_server(("127.0.0.1", port))
        self._lock = threading.Lock()
        case.addCleanup(self._listener.close)
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self, number: int | None, limit: int):
        """The connection of this number from now on is cut after so many bytes of answers; None for none."""
        with self._lock:
            self._number, self._limit, self._count = number, limit, 0

    def target(self, port: int):
        """Forwards to another port from now on."""
        self._target = port

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                limit = self._limit if self._count == self._number else None
                self._count += 1
            threading.Thread(target=self._serve, args=(client, limit), daemon=True).start()

    def _serve(self, client: socket.socket, limit: int | None):
        size = 0
        try:
            with client, socket.create_connection(("127.0.0.1", self._target)) as server:
                with selectors.DefaultSelector() as ready:
                    ready.register(client, selectors.EVENT_READ, server)
                    ready.register(server, selectors.EVENT_READ, client)
                    while True:
                        for key, _ in ready.select():
                            data = key.fileobj.recv(65_536)
                            if not data:
                                return
                            if key.fileobj is server:
                                size += len(data)
                                if limit is not None and size > limit:
                                    client.sendall(data[:len(data) - (size - limit)])
                                    return
                            key.data.sendall(data)
        except OSError:
            pass
        finally:
            self.sizes.append(size)
