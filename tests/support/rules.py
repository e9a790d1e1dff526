"""The rules by which values are made, written down a second time.

It shares no code with cstress, is slow, and knows only what stories need: fixed and
uniform distributions, partitions of one row, and the dialect of releases from 4.0 on.
"""

import functools
import struct

MASK64 = (1 << 64) - 1
SEED_STEP = 10 ** 16 + 1  # between the seeds of two positions, with the default revisit=
POPULATION = (1, 100_000_000_000)
TIME_POPULATION = (1, 1_576_800_000_000)  # of timestamp and timeuuid
SIZE = (4, 8)
FIXED_LENGTH = {"boolean": 1, "int": 4, "float": 4, "bigint": 8, "double": 8, "timestamp": 8,
                "uuid": 16, "timeuuid": 16}


def signed(value, bits=64):
    """The low bits of a number as Java's long, int, short or byte."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


class JavaRandom:
    """java.util.Random."""

    def __init__(self, seed):
        self.state = (seed ^ 0x5DEECE66D) & ((1 << 48) - 1)

    def bits(self, count):
        self.state = (self.state * 0x5DEECE66D + 0xB) & ((1 << 48) - 1)
        return self.state >> (48 - count)

    def next_long(self):
        return signed((signed(self.bits(32), 32) << 32) + signed(self.bits(32), 32))

    def next_double(self):
        high = self.bits(26) << 27
        return (high + self.bits(27)) * 2.0 ** -53


class Stream:
    """Bytes in bulk: eight at a time, seeded anew before every 32nd."""

    def __init__(self, seed):
        self.state = JavaRandom(seed).next_long()
        self.count = 0

    def next_long(self):
        self.count += 1
        if self.count == 32:
            self.state = JavaRandom(self.state).next_long()
            self.count = 0
        x = self.state
        x ^= x >> 12
        x = signed(x ^ (x << 25))
        x ^= x >> 27
        self.state = x
        return signed(x * 2685821657736338717)

    def take(self, count):
        data = b""
        while len(data) < count:
            data += struct.pack("<q", self.next_long())
        return data[:count]


def rotate(value, count):
    return ((value << count) | (value >> (64 - count))) & MASK64


def mix_half(h):
    h = ((h ^ (h >> 33)) * 0xff51afd7ed558ccd) & MASK64
    h = ((h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53) & MASK64
    return h ^ (h >> 33)


@functools.lru_cache(None)
def salt(text):
    """The first half of MurmurHash3 x64-128 of an ASCII text."""
    data, c1, c2 = text.encode("ascii"), 0x87c37b91114253d5, 0x4cf5ad432745937f
    h1 = h2 = 0
    whole = len(data) // 16 * 16

    def first(k):
        return rotate(k * c1 & MASK64, 31) * c2 & MASK64

    def second(k):
        return rotate(k * c2 & MASK64, 33) * c1 & MASK64

    for at in range(0, whole, 16):
        k1, k2 = struct.unpack_from("<QQ", data, at)
        h1 = (rotate(h1 ^ first(k1), 27) + h2) * 5 + 0x52dce729 & MASK64
        h2 = (rotate(h2 ^ second(k2), 31) + h1) * 5 + 0x38495ab5 & MASK64
    k1, k2 = struct.unpack("<QQ", data[whole:].ljust(16, b"\0"))
    h1 ^= first(k1) ^ len(data)
    h2 ^= second(k2) ^ len(data)
    h1 = h1 + h2 & MASK64
    h2 = h2 + h1 & MASK64
    return signed(mix_half(h1) + mix_half(h2))


class Uniform:
    """uniform(low..high), or fixed(k) where both are k."""

    def __init__(self, low, high):
        self.low, self.high, self.random = low, high, None

    def seed(self, seed):
        self.random = JavaRandom(seed)

    def real(self):
        if self.low == self.high:
            return float(self.low)
        u = self.random.next_double()
        value = u * float(self.high + 1) + (1 - u) * float(self.low)
        return min(max(value, float(self.low)), float(self.high))

    def whole(self):
        if self.low == self.high:
            return self.low
        return min(max(int(self.real()), self.low), self.high)


# ---- types ----
SCALARS = ("ascii", "text", "varchar", "blob", "bigint", "counter", "int", "smallint", "tinyint",
           "varint", "decimal", "double", "float", "boolean", "inet", "timestamp", "date", "time",
           "uuid", "timeuuid")


def parse_type(text):
    """'map<int, frozen<set<text>>>' as ('map', ('int',), ('set', ('text',))); frozen is left out.

    A user type is a bare name that is no scalar; its fields come from elsewhere.
    """
    text = text.strip()
    if "<" not in text:
        return (text,)
    name, inside = text.split("<", 1)
    parts, depth, start = [], 0, 0
    inside = inside.rsplit(">", 1)[0] + ","
    for at, char in enumerate(inside):
        depth += (char == "<") - (char == ">")
        if char == "," and not depth:
            parts.append(inside[start:at])
            start = at + 1
    if name == "frozen":
        return parse_type(parts[0])
    if name == "vector":
        return (name, parse_type(parts[0]), int(parts[1]))
    return (name, *map(parse_type, parts))


def is_plain(tree):
    """A type that the original fills, too: a scalar, or a list or set of scalars."""
    scalar = tree[1] if tree[0] in ("list", "set") else tree
    return scalar[0] in SCALARS


# ---- values in their wire form ----

def pack(data):
    return struct.pack(">i", len(data)) + data


def vint(value):
    """An unsigned variable length integer."""
    for extra in range(9):
        if extra == 8 or value < 1 << (7 + 7 * extra):
            front = (0xff00 >> extra) & 0xff
            data = bytearray(value.to_bytes(9, "big")[8 - extra:])
            data[0] |= front
            return bytes(data)
    raise AssertionError


def zigzag(value):
    return vint(value << 1 if value >= 0 else (-value << 1) - 1)


def varint(value):
    size = 1
    while not -(1 << (8 * size - 1)) <= value < 1 << (8 * size - 1):
        size += 1
    return value.to_bytes(size, "big", signed=True)


def text_of(data):
    return bytes(((byte & 127) + 32) & 127 for byte in data)


def duration_of(number):
    size = abs(number)
    parts = (size % 12, size // 12 % 31, size // 372 % 86_400_000 * 1_000_000)
    return b"".join(zigzag(-part if number < 0 else part) for part in parts)


def timeuuid_of(ms, lsb):
    ticks = (ms + 12219292800000) * 10000
    msb = (ticks & 0xffffffff) << 32 | (ticks >> 32 & 0xffff) << 16 | ticks >> 48 & 0xfff | 0x1000
    return struct.pack(">Qq", msb & MASK64, lsb)


WHOLE = {
    "bigint": lambda n: struct.pack(">q", n),
    "counter": lambda n: struct.pack(">q", n),
    "int": lambda n: struct.pack(">i", signed(n, 32)),
    "smallint": lambda n: struct.pack(">h", signed(n, 16)),
    "tinyint": lambda n: struct.pack(">b", signed(n, 8)),
    "varint": varint,
    "decimal": lambda n: struct.pack(">i", 0) + varint(n),
    "boolean": lambda n: bytes([n % 2 == 0]),
    "inet": lambda n: struct.pack(">i", signed(n, 32)),
    "timestamp": lambda n: struct.pack(">q", n),
    "date": lambda n: struct.pack(">I", (n & 0xffffffff) ^ 0x80000000),
    "time": lambda n: struct.pack(">q", n),
    "uuid": lambda n: struct.pack(">qq", n, n),
    "duration": duration_of,
}
TEXTS = ("ascii", "text", "varchar", "blob")
NUMBERS = {"bigint": ">q", "counter": ">q", "int": ">i", "smallint": ">h", "tinyint": ">b",
           "time": ">q", "double": ">d", "float": ">f"}


def mix(seed, tree, data):
    """Feeds a value into the next seed."""
    kind = tree[0]
    if kind in NUMBERS:
        number = int(struct.unpack(NUMBERS[kind], data)[0])
    elif kind in ("varint", "decimal"):
        number = int.from_bytes(data[4 * (kind == "decimal"):], "big", signed=True)
    elif kind == "date":
        number = signed(struct.unpack(">I", data)[0] ^ 0x80000000, 32)
    elif kind in ("uuid", "timeuuid"):
        number = signed(int.from_bytes(data[:8], "big") ^ int.from_bytes(data[8:], "big"))
    else:
        for byte in data:
            seed = signed(31 * seed + signed(byte, 8))
        return seed
    return signed(31 * seed + number)


# ---- generators ----

class Generator:
    """One node of a column's type; specs: path to {'population': (a, b), 'size': .., 'family': 6}.

    udts: name of a user type to its fields, {name: type text}.
    """

    def __init__(self, path, tree, specs, udts, inherited=None):
        """inherited: the spec of the node above; None for a column."""
        self.tree, self.kind = tree, tree[0]
        self.spec = specs.get(path, inherited or {})
        times = self.kind in ("timestamp", "timeuuid")
        self.identity = Uniform(*self.spec.get("population",
                                               TIME_POPULATION if times else POPULATION))
        self.size = Uniform(*self.spec.get("size", SIZE))
        self.salt = salt("seed for stress" + path)
        # Inside another type lists and sets follow the rule of those that are not plain.
        self.plain = inherited is None and is_plain(tree)

        def child(step, inner):
            return Generator(path + step, inner, specs, udts, self.spec)

        if self.kind in ("list", "set") and self.plain:
            self.children = [Generator(path, tree[1], specs, udts, self.spec)]
        elif self.kind in ("list", "set", "vector"):
            self.children = [child("[]", tree[1])]
        elif self.kind == "map":
            self.children = [child("[k]", tree[1]), child("[v]", tree[2])]
        elif self.kind == "tuple":
            self.children = [child(f".{at}", inner) for at, inner in enumerate(tree[1:])]
        else:
            self.children = [child("." + name, parse_type(inner))
                             for name, inner in udts.get(self.kind, {}).items()]

    def seed(self, seed):
        self.identity.seed(seed ^ self.salt)
        if self.plain and self.children:
            self.children[0].seed(signed(31 * seed))

    def value(self):
        """The next value in its wire form."""
        if not self.children:
            return self.scalar()
        if self.plain:
            return self.elements(self.size.whole())
        number = self.identity.whole()
        for one in self.children:
            one.seed(number)
        if self.kind == "vector":
            return self.vector()
        if self.kind in ("list", "set", "map"):
            self.size.seed(number)
            return (self.entries if self.kind == "map" else self.elements)(self.size.whole())
        return b"".join(pack(one.value()) for one in self.children)

    def elements(self, count):
        values = [self.children[0].value() for _ in range(count)]
        if self.kind == "set":
            values = list(dict.fromkeys(values))
        return struct.pack(">i", len(values)) + b"".join(map(pack, values))

    def entries(self, count):
        found = {}
        for _ in range(count):
            key, value = (one.value() for one in self.children)
            found.setdefault(key, value)
        return struct.pack(">i", len(found)) + b"".join(
            pack(key) + pack(value) for key, value in found.items())

    def vector(self):
        values = [self.children[0].value() for _ in range(self.tree[2])]
        if fixed_length(self.tree[1]):
            return b"".join(values)
        return b"".join(vint(len(value)) + value for value in values)

    def scalar(self):
        if self.kind == "double":
            return struct.pack(">d", self.identity.real())
        if self.kind == "float":
            return struct.pack(">f", self.identity.real())
        number = self.identity.whole()
        if self.kind == "timeuuid":
            return timeuuid_of(number, self.salt)
        if self.kind == "inet" and self.spec.get("family") == 6:
            return bytes.fromhex("20010db800000000") + struct.pack(">q", number)
        if self.kind not in TEXTS:
            return WHOLE[self.kind](number)
        self.size.seed(number)
        data = Stream(~number).take(self.size.whole())
        return data if self.kind == "blob" else text_of(data)


def fixed_length(tree):
    return tree[0] in FIXED_LENGTH or tree[0] == "vector" and fixed_length(tree[1])


def row(position, keys, clustering, columns, specs=None, udts=None):
    """The only row of a partition: {column: wire bytes}; the three are {column: type text}."""
    def generator(name, text):
        return Generator(name, parse_type(text), specs or {}, udts or {})

    seed, made = 0, {}
    for name, text in keys.items():
        one = generator(name, text)
        one.seed(signed(position * SEED_STEP))
        made[name] = one.value()
        seed = mix(seed, one.tree, made[name])
    for name, text in clustering.items():
        one = generator(name, text)
        one.seed(seed)
        made[name] = one.value()
        seed = mix(seed, one.tree, made[name])
    if clustering:  # the last one counts a second time: as first, and as current
        seed = mix(seed, one.tree, made[name])
    for name, text in columns.items():
        one = generator(name, text)
        one.seed(seed)
        made[name] = one.value()
    return made


# ---- comparing ----

class Cells:
    """Takes a cell apart: sets and maps, which the server sorts, come out unordered."""

    def __init__(self, udts=None):
        self.udts = udts or {}

    def take(self, tree, data):
        kind = tree[0]
        if data is None or len(tree) == 1 and kind not in self.udts:
            return data
        if kind == "vector":
            return self.vector(tree, data)
        if kind in ("list", "set"):
            parts = [self.take(tree[1], part) for part in self.split(data[4:])]
            return frozenset(parts) if kind == "set" else tuple(parts)
        if kind == "map":
            parts = self.split(data[4:])
            return frozenset((self.take(tree[1], key), self.take(tree[2], value))
                             for key, value in zip(parts[::2], parts[1::2]))
        inner = tree[1:] or [parse_type(text) for text in self.udts[kind].values()]
        return tuple(self.take(one, part) for one, part in zip(inner, self.split(data)))

    @staticmethod
    def split(data):
        parts, at = [], 0
        while at < len(data):
            size = struct.unpack_from(">i", data, at)[0]
            parts.append(data[at + 4:at + 4 + size] if size >= 0 else None)
            at += 4 + max(size, 0)
        return parts

    def vector(self, tree, data):
        if fixed_length(tree[1]):
            size = len(data) // tree[2]
            parts = [data[at:at + size] for at in range(0, len(data), size)]
        else:
            parts, at = [], 0
            while at < len(data):
                # Lengths below 128 only: one byte each.
                parts.append(data[at + 1:at + 1 + data[at]])
                at += 1 + data[at]
        return tuple(self.take(tree[1], part) for part in parts)
