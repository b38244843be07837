"""The limits that not every turn needs, each with its unit; they are read through limits.py."""

# sessions
ALIAS_CHARS = 32  # characters of a session alias
ALIASES = 32  # sessions per chat
SHOWN_MESSAGES = 12  # messages at the end of a session that /session show shows
SHOWN_BYTES = 200  # of each message shown
SUBAGENTS = 16  # sub-agents per parent session
SESSION_ARCHIVE_BYTES = 65536  # bytes of turns that left a session and are kept beside it
JSON_BYTES = 2048  # bytes from which JSON that does not fit into the RAM counts as damaged

# long-term items
ID_BYTES = 39  # bytes
NORMALIZED_BYTES = 159  # bytes of normalised text that ESP-Claw compares
HISTORY_FILE_BYTES = 21504  # bytes of the superseded texts that are kept
GONE_BYTES = 36864  # bytes of the hashes of what was forgotten, in the same file
SUPERSEDED = 320  # superseded texts, the latest, that are kept from being told as if they were so
SUPERSEDED_TIGHT = 32  # the same where RAM is short
GONE_TEXTS = 128  # forgotten texts of which one compaction keeps the hashes
GONE = 320  # of these, the latest, that old conversations are compared with
GONE_TIGHT = 32  # the same where RAM is short
GONE_WORDS = 16  # words of each
ARCHIVE_FILE_BYTES = 32768  # bytes of each of the two files of items that left the 128
PAIRS = 3  # pairs of memories that contradict each other and are shown to a model
PINS = 32  # items that may be pinned
DIGEST_LINES = 200  # lines of the digest log kept by a compaction
CANDIDATES = 3  # extracted facts per turn

# search
SEARCH_DEFAULT = 5  # results
SEARCH_MAX = 20  # results a tool call may ask for
SEARCH_OUTPUT = 3072  # bytes of a result of search without PSRAM
SNIPPET_BYTES = 240  # bytes of the part of a text that a result shows
QUERY_CHARS = 400  # characters of a question that are looked at
GET_LINES = 20  # lines that are read on, default
GET_LINES_MAX = 100  # lines a tool call may ask for
INDEX_TERMS = 84  # terms of one item in the index, labels included

# forgetting for good
ERASE_JOB_BYTES = 16384  # bytes of the file that says what is being erased
ERASE_WORDINGS = 16  # former wordings of a memory, the latest, by which texts are recognised
ERASE_FILE_BYTES = 262144  # bytes of a file on FAT up to which the end of its cluster is cleared
ERASE_FLASH_RATE = 60000  # bytes a second that the flash of a board takes at least
ERASE_CARD_RATE = 200000  # the same of an SD card

# context
OLD_RESULT_BYTES = 1024  # bytes kept of an old tool result where all of it does not fit
RESULT_BYTES = (4096, 2048, 1024, 512, 256)  # the same for results of the turn itself, in turn
CONTEXT_PART = 2  # the part of what fits that is left of a conversation after it was condensed
COMPACT_SECONDS = 180  # seconds for one condensing in all
COMPACT_TURNS = 2  # turns that /compact leaves as they are
SECRET_CHARS = 6  # of a secret that is looked for in what is shown; WPA takes 8 at least
FLUSH_CHARS = 4000  # characters of old messages that are looked through at once for facts
FLUSH_FACTS = 8  # facts taken from them
FLUSH_NOTES = 3  # lines for the daily note taken from them
FLUSH_TRIES = 3  # times that this may fail before old turns stay out of prompts all the same
FLUSH_ANSWER_CHARS = 300  # characters of an answer shown beside the messages
SUMMARY_CHARS = 2400  # characters of the summary of a conversation
SUMMARY_KEPT_CHARS = 1200  # characters of numbers and names that it lost and that are added
MEMORY_MD_BYTES = 16384  # bytes of MEMORY.md put before the model in lightweight mode
BOOTSTRAP_TURNS = 6  # answers of the first conversation for which it sees bootstrap.md

# daily notes
NOTE_DAY_BYTES = 16384  # bytes of one day's file

# core
ANSWER_TOKENS = 4096  # tokens of an answer where the API wants a number
PLAIN_BYTES = 65536  # bytes of an answer that is not streamed and must fit into RAM
NTP_SECONDS = 20  # seconds for one attempt to get the time, looking up its name included
WATCHDOG_LEAST = 10  # seconds, the shortest time of the watchdog

# learning in the background
EXTRACT_SECONDS = 120  # seconds for one question in all
EXTRACT_GAP_SECONDS = 30  # seconds of one wait on a socket of the thread
THREAD_STACK = 16384  # bytes of the thread's stack

# capabilities
PIN_MOST = 48  # highest pin number of an ESP32-S3
PIXELS = 256  # neopixels on one pin
FILE_BYTES = 16384  # bytes of one file under files/ and skills/
FILE_READ_BYTES = 4096  # bytes read from a file by one call
FILES_LISTED = 64  # files in one listing
FILE_DEPTH = 4  # names in a path under files/ and skills/, that first one included
FILE_NAME_BYTES = 64  # bytes of one name in such a path

# the offline model
OFFLINE_CHARS = 3000  # characters of a message that are looked at
OFFLINE_FACTS = 9  # facts taken from one message
OFFLINE_ROUND = 3  # facts stored in one round of tools
OFFLINE_ROOM = 65536  # bytes of free heap that the offline model takes at most, and a turn
OFFLINE_PASTE = 400  # characters of a message up to which its sentences are taken as facts
OFFLINE_UNITS = 12  # words of a sentence up to which it may say the same ones again and again
OFFLINE_NEAR = 3  # memories shown when none is quite what should be forgotten
OFFLINE_SHOWN = 20  # memories listed in one answer
SERVER_CHARS = 200  # characters of a server's error message that are shown
ERROR_BYTES = 4096  # bytes read of an error answer
RETRIES = 2  # times that a busy server is asked again
RETRY_SECONDS = 20  # longest pause before asking again
WIFI_SECONDS = 20  # seconds for one attempt to connect
WIFI_RETRIES = 3  # attempts of the driver itself
WIFI_FIRST = 5  # first pause between attempts, seconds; each is twice the one before
WIFI_PAUSE = 300  # longest pause between attempts, seconds
NETWORKS = 20  # networks listed by the wizard, the strongest
SETUP_CLOCK_SECONDS = 20  # seconds that the wizard waits for the time before it tests a server
NTP_PAUSES = (2, 5, 15)  # seconds after each failed attempt to get the time
