"""
Loaded before the program into each Python that `sandpiper exec --as-production` starts, as its folder is the first of
PYTHONPATH. Clients that do not look at the proxy's variables (http.client, urllib3, aiohttp) connect to the sandbox, or
nowhere, as node-preload.ts does it for Node. It needs nothing but Python, and never breaks the program: in Python 2, which
reads it as well, it does nothing, so it is written in what both can read.
"""
import os
import sys


def redirect(settings):
    """Replaces the look-up of names and the connect of sockets, which all clients are built on."""
    import _socket
    import errno
    import functools
    import itertools
    import json
    import re
    import socket

    addresses = {}  # The address of this machine that represents a name, by name.
    names = {}  # The name that it represents, by address.
    numbers = itertools.count(1)

    def address_of(name):
        if name not in addresses:
            number = next(numbers)
            addresses[name] = "127.47.%d.%d" % (number >> 8 & 255, number & 255)
            names[addresses[name]] = name
        return addresses[name]

    def plain(host):
        text = host.decode("ascii", "replace") if isinstance(host, (bytes, bytearray)) else host
        return re.sub(r"\.$", "", text.lower())

    def route_of(name, port):
        """Where a connection goes: "sandbox", "target", or why it goes nowhere; as routeOf in hosts.ts."""
        if name in settings["hosts"]:
            return "sandbox"
        if re.search(settings["thisMachine"], name):
            return "target"
        if re.search(settings["senders"], name):
            return "sends messages"
        if port in settings["mailPorts"]:
            return "sends mail"
        return "offline" if settings["offline"] else "target"

    def known(host, port=443, flags=0):
        """The host, or an address that represents it: no query leaves the machine, and connect knows the name again."""
        if not isinstance(host, (str, bytes, bytearray)) or flags & socket.AI_NUMERICHOST:
            return host
        name = plain(host)
        is_number = ":" in name or name.replace(".", "").isdigit()
        return host if is_number or route_of(name, port) == "target" else address_of(name)

    def aimed(sock, address):
        """The address that a socket connects to instead. Raises ConnectionRefusedError if that is blocked."""
        is_tcp = sock.type == socket.SOCK_STREAM and sock.family in (socket.AF_INET, socket.AF_INET6)
        is_named = isinstance(address, tuple) and len(address) > 1 and isinstance(address[0], (str, bytes, bytearray))
        if not is_tcp or not is_named:
            return address
        accept_certificate()
        asked, port = plain(address[0]), address[1]
        host = names.get(re.sub("^::ffff:", "", asked), asked)
        why = route_of(host, port)
        if why == "target":
            # It may have been looked up for a port that is blocked.
            return address if host == asked else (host, port)
        if why == "sandbox":
            here = "127.0.0.1" if sock.family == socket.AF_INET else "::ffff:127.0.0.1"
            return (here, settings["port"] if port == 80 else settings["tlsPort"])
        try:
            with open(settings["report"], "a") as report:
                report.write(json.dumps({"host": host, "port": port, "why": why}) + "\n")
        except OSError:
            pass  # The report is for people; blocking does not depend on it.
        text = settings["says"][why].replace("{host}", host).replace("{port}", str(port))
        error = ConnectionRefusedError(errno.ECONNREFUSED, text)
        error.rule = settings["rule"]
        raise error

    # At the first connection, as a program that makes none need not load `ssl`.
    @functools.lru_cache(None)
    def accept_certificate():
        """Lets a program accept the certificate of the run also if it names certificates itself, such as certifi's."""
        try:
            import ssl
        except ImportError:
            return  # A Python that was built without it.

        def accepting_ours(wrap):
            def wrap_accepting(context, *args, **named):
                if plain(named.get("server_hostname") or "") in settings["hosts"]:
                    context.load_verify_locations(settings["authority"])
                return wrap(context, *args, **named)

            return wrap_accepting

        for name in ("wrap_socket", "wrap_bio"):
            setattr(ssl.SSLContext, name, accepting_ours(getattr(ssl.SSLContext, name)))

    look_up, connect, connect_ex = _socket.getaddrinfo, socket.socket.connect, socket.socket.connect_ex

    def getaddrinfo(host, port, family=0, type=0, proto=0, flags=0):
        found = known(host, port, flags)
        # With AI_ADDRCONFIG a machine without network would not have this address either.
        return look_up(found, port, family, type, proto, flags if found is host else socket.AI_NUMERICHOST)

    def by_name(original):
        return lambda host: original(known(host))

    def connect_to(sock, address):
        return connect(sock, aimed(sock, address))

    def connect_ex_to(sock, address):
        try:
            return connect_ex(sock, aimed(sock, address))
        except ConnectionRefusedError as error:
            return error.errno

    for host in settings["hosts"]:
        address_of(host)
    # `socket` calls this one, and so does gevent.
    _socket.getaddrinfo = getaddrinfo
    for name in ("gethostbyname", "gethostbyname_ex"):
        hook = by_name(getattr(_socket, name))
        setattr(_socket, name, hook)
        setattr(socket, name, hook)
    socket.socket.connect = connect_to
    socket.socket.connect_ex = connect_ex_to


text = os.environ.get("SANDPIPER_AS_PRODUCTION")
if text and sys.version_info >= (3,):
    from json import loads

    redirect(loads(text))

# The one that Python would have found without this file is imported under the same name. If there is none, the error is
# one that Python expects.
sys.path.remove(os.path.dirname(__file__))
del sys.modules["sitecustomize"]
import sitecustomize  # noqa
