"""The texts of a long-term item as they are stored: capacities, terms, what fits into a line."""

from claw_memory import limits, text
from claw_memory.errors import InvalidArg
from claw_memory.itemline import record
from claw_memory.items import distinct

# What a line may still grow by: an id, counters and times that get longer, a compaction's key.
GROWTH = 140


def _join(terms, nbytes):
    # Comma-separated in at most nbytes; a term that does not fit whole is left out.
    out = ""
    room = nbytes
    for term in terms:
        size = len(term.encode()) + (1 if out else 0)
        if size <= room:
            out += "," + term if out else term
            room -= size
    return out


def metadata(content, tags, keywords):
    """(tags, keywords) as they are stored, and whether a term was left out for want of room.

    Tags: the first three distinct terms. Keywords: the first three distinct terms that occur in
    content or tags (ASCII case aside), filled up with tags.
    """
    terms = distinct(text.csv(tags))[: limits.TERMS]
    whole = ",".join(terms)
    tags = _join(terms, limits.TAGS_BYTES)
    ground = (content + "\0" + tags).encode().lower()
    grounded = [t for t in distinct(text.csv(keywords)) if t.encode().lower() in ground]
    found = distinct(grounded[: limits.TERMS] + text.csv(tags))[: limits.TERMS]
    keywords = _join(found, limits.KEYWORDS_BYTES)
    return tags, keywords, tags != whole or keywords != ",".join(found)


def merge_terms(item, other):
    """Give item the first three distinct terms of its own and of the other's tags and keywords."""
    tags = distinct(text.csv(item.tags) + text.csv(other.tags))
    item.tags = _join(tags[: limits.TERMS], limits.TAGS_BYTES)
    keywords = distinct(text.csv(item.keywords) + text.csv(other.keywords))
    item.keywords = _join(keywords[: limits.TERMS], limits.KEYWORDS_BYTES)
    fit(item)


def field(value, nbytes):
    """(value, cut) where value is clean text of at most nbytes bytes that ends before a NUL."""
    if not isinstance(value, str):
        raise InvalidArg("the fields of a memory are texts")
    value = text.clean_bytes(text.to_bytes(value))
    end = value.find("\0")
    if end >= 0:
        value = value[:end]
    short = text.cut(value, nbytes)
    return short, len(short) < len(value)


def set_texts(item, content, tags, keywords, source, kept=0):
    """Normalise the texts into item, within the capacities of ESP-Claw's fields.

    kept: bytes of a content that is in the file already and is not to be cut. Sets item.truncated
    when something was cut. Raises InvalidArg when content is blank or a field is no text.
    """
    content, cut = field(content, max(kept, limits.CONTENT_BYTES))
    content = text.bare(content)
    if not content:
        raise InvalidArg("a memory needs content")
    item.content = content
    item.source, short = field(source, limits.SOURCE_BYTES)
    item.tags, item.keywords, left = metadata(
        content, field(tags, 4096)[0], field(keywords, 4096)[0]
    )
    item.truncated = cut or short or left
    if kept <= limits.CONTENT_BYTES:
        fit(item)


def fit(item):
    """Shorten item until ESP-Claw can read its line: escapes make texts longer than they are."""
    while True:
        over = len(record(item)) - len(item.extra) - limits.RECORD_BYTES + GROWTH
        if over <= 0:
            return
        item.truncated = True
        size = len(text.to_bytes(item.content))
        if size > 16:
            short = text.cut(item.content, max(16, size - (over + 5) // 6))
            item.content = text.bare(short) or "?"
        elif item.keywords:
            item.keywords = ",".join(text.csv(item.keywords)[:-1])
        else:
            item.tags = ",".join(text.csv(item.tags)[:-1])
