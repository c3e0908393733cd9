"""The right answer, and a server of any answers."""

import contextlib
import socket
import threading

import pytest
from data.http.one_file import PATH


@pytest.fixture
def right(server):
    return server.answer(PATH)[1]


@pytest.fixture
def careless():
    """A function that has a server send some bytes, whatever it is asked, and returns its address."""
    with contextlib.ExitStack() as stack:

        def send(*answers):
            listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))

            def serve():
                for answer in answers:
                    call, _ = listener.accept()
                    with call:
                        call.recv(65536)
                        call.sendall(answer)

            thread = threading.Thread(target=serve)
            thread.start()
            stack.callback(thread.join)
            return f"http://127.0.0.1:{listener.getsockname()[1]}/x"

        yield send
