"""Keys and certificates for clusters with TLS, made by openssl and keytool."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from .errors import KitError
from .java import Java

# Of all stores; not a secret, as the keys live and die with a cluster of tests.
PASSWORD = "cstress"
LIMIT_S = 60
DAYS = "30"
SETTING = "client_encryption_options"


def folder(cluster: Path) -> Path:
    """Where the keys of a cluster are."""
    return cluster / "tls"


def make(place: Path, addresses: list[str], java: Java) -> None:
    """What `options` names, and stores for clients.

    ca.pem, trust.p12, trust.jks: whom to trust; node.p12: key of all nodes, for their addresses;
    client.pem, client.p12, client.jks: key of a client; other.pem: an authority that has signed
    nothing.
    """
    place.mkdir(parents=True, exist_ok=True)
    for name in ("ca", "other"):
        _openssl(place, "req", "-x509", *_new_key(name), "-days", DAYS, "-out", f"{name}.pem",
                 "-subj", f"/CN=cstress {name}")
    hosts = ",".join(f"IP:{address}" for address in addresses)
    _sign(place, "node", f"subjectAltName={hosts}")
    _sign(place, "client", "extendedKeyUsage=clientAuth")
    for kind in ("PKCS12", "JKS"):
        _keytool(place, java, "-importcert", "-noprompt", "-alias", "ca", "-file", "ca.pem",
                 "-keystore", f"trust.{_ending(kind)}", "-storetype", kind,
                 "-storepass", PASSWORD)
    _keytool(place, java, "-importkeystore", "-srckeystore", "client.p12", "-srcstorepass",
             PASSWORD, "-destkeystore", "client.jks", "-deststoretype", "JKS",
             "-deststorepass", PASSWORD)


def options(place: Path, client_auth: bool) -> str:
    """The value of client_encryption_options: plain connections stay possible on the same port,
    so that what only looks at the cluster needs no keys."""
    wanted = "true" if client_auth else "false"
    return (f"{{enabled: true, optional: true, require_client_auth: {wanted}, "
            f"keystore: {_quoted(place / 'node.p12')}, keystore_password: {PASSWORD}, "
            f"truststore: {_quoted(place / 'trust.jks')}, truststore_password: {PASSWORD}}}")


def _ending(kind: str) -> str:
    return {"PKCS12": "p12", "JKS": "jks"}[kind]


def _new_key(name: str) -> list[str]:
    return ["-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key"]


def _sign(place: Path, name: str, extension: str) -> None:
    """A certificate of our authority, as PEM with its key and as PKCS#12 with its chain."""
    _openssl(place, "req", *_new_key(name), "-out", f"{name}.csr", "-subj", f"/CN={name}")
    (place / f"{name}.ext").write_text(extension + "\n", encoding="ascii")
    _openssl(place, "x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
             "-CAcreateserial", "-days", DAYS, "-extfile", f"{name}.ext", "-out", f"{name}.crt")
    _openssl(place, "pkcs12", "-export", "-in", f"{name}.crt", "-inkey", f"{name}.key",
             "-certfile", "ca.pem", "-name", name, "-passout", f"pass:{PASSWORD}",
             "-out", f"{name}.p12")
    parts = [(place / f"{name}.{end}").read_text("ascii") for end in ("crt", "key")]
    (place / f"{name}.pem").write_text("".join(parts), encoding="ascii")


def _openssl(place: Path, *words: str) -> None:
    program = shutil.which("openssl")
    if not program:
        raise KitError("'openssl', which makes the keys, is not installed; tools/install-deps "
                       "installs it")
    _run(place, [program, *words])


def _keytool(place: Path, java: Java, *words: str) -> None:
    _run(place, [str(Path(java.path).with_name("keytool")), *words])


def _run(place: Path, command: list[str]) -> None:
    try:
        done = subprocess.run(command, cwd=place, stdin=subprocess.DEVNULL, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=LIMIT_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise KitError(f"cannot make keys: {error}") from None
    if done.returncode != 0:
        raise KitError(f"cannot make keys: {' '.join(command[:3])}: {done.stdout[-400:]}")


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
