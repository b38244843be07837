"""Every limit of the firmware, each with its unit. Tests lower them by assignment."""

# sessions
SESSION_BYTES = 153600  # bytes of .log after which a completed turn triggers compaction
MESSAGE_CHARS = 4096  # characters of one text record, default
PATH_BYTES = 191  # bytes of a path that ESP-Claw can still open
SESSION_ID_BYTES = 255  # bytes
CHAT_KEY_BYTES = 159  # bytes
ALIAS_CHARS = 32  # characters of a session alias
ALIASES = 32  # sessions per chat
SHOWN_MESSAGES = 12  # messages at the end of a session that /session show shows
SHOWN_BYTES = 200  # of each message shown
SUBAGENTS = 16  # sub-agents per parent session
STATE_BYTES = 512  # bytes of a session's file of numbers
OPEN_SESSIONS = 2  # sessions whose state is kept in RAM
MAP_BYTES = 8192  # bytes of a file that names the sessions of a chat
JSON_BYTES = 2048  # bytes from which JSON that does not fit into the RAM counts as damaged

# long-term items
ID_BYTES = 39  # bytes
SOURCE_BYTES = 15  # bytes
CONTENT_BYTES = 255  # bytes
TAGS_BYTES = 95  # bytes
KEYWORDS_BYTES = 127  # bytes
LABEL_BYTES = 39  # bytes
TERMS = 3  # labels, tags and keywords per item, each
RECORD_BYTES = 1023  # bytes of one record line that ESP-Claw can still read
ITEMS = 128  # active items kept by a compaction
DEAD_BYTES = 4096  # bytes of superseded lines below which no compaction starts
NORMALIZED_BYTES = 159  # bytes of normalised text that ESP-Claw compares
CONTAINED_BYTES = 12  # normalised bytes from which containment counts as a duplicate
RECALL_DEFAULT = 8  # items
RECALL_MAX = 32  # items a tool call may ask for
DIGEST_LINES = 200  # lines of the digest log kept by a compaction
DIGEST_BYTES = 32768  # bytes of the digest log beyond which a quiet moment is used to compact
DIGEST_WAITING = 160  # bytes of digest lines about changes that may wait in RAM
CANDIDATES = 3  # extracted facts per turn
DERIVE_SECONDS = 600  # seconds between two rewrites of MEMORY.md
TOOL_OUTPUT = 8192  # bytes of one tool result

# context
MEMORY_MD_BYTES = 16384  # bytes of MEMORY.md put before the model in lightweight mode
PROFILE_BYTES = 8192  # bytes of one profile file that are put before the model

# core
INBOX = 4  # events that wait while the agent is busy
KEYS = 64  # typed bytes that are taken at once
LINE_BYTES = 16384  # bytes of one line typed at the console
ROUNDS = 10  # tool rounds per message
ANSWER_TOKENS = 4096  # tokens of an answer where the API wants a number
CALLS = 8  # tool calls of one round that are run
REPEATS = 3  # identical calls with identical results that end the turn
ARGS_BYTES = 8192  # bytes of the arguments of one tool call
TURN_TOOL_BYTES = 49152  # bytes of tool arguments and results stored in one turn
HTTP_PIECE = 512  # bytes sent or received at once
HEAD_BYTES = 8192  # bytes of the head of an HTTP answer
BODY_BYTES = 4194304  # bytes of the body of an HTTP answer
PLAIN_BYTES = 65536  # bytes of an answer that is not streamed and must fit into RAM
EVENT_BYTES = 65536  # bytes of one server-sent event
CONNECT_SECONDS = 10  # seconds until a connection stands
DNS_SECONDS = 15  # seconds for looking up a name
NTP_SECONDS = 20  # seconds for one attempt to get the time, looking up its name included
WATCHDOG_LEAST = 10  # seconds, the shortest time of the watchdog
THREADS = 4  # threads at once beside the loop
SMALL_STACK = 8192  # bytes of the stack of a thread that looks up a name or the time
FIRST_SECONDS = 90  # seconds until an answer begins
GAP_SECONDS = 45  # seconds between two pieces of an answer
TOTAL_SECONDS = 600  # seconds for a whole answer
CLOSE_SECONDS = 1  # seconds for closing a connection

# learning in the background
EXTRACT_QUEUE = 4  # messages that wait while one is looked through
EXTRACT_NEAR = 5  # known memories shown beside a message
EXTRACT_TOKENS = 500  # tokens of the answer
EXTRACT_CHARS = 4000  # characters of the answer that are read
EXTRACT_SECONDS = 120  # seconds for one question in all
EXTRACT_GAP_SECONDS = 30  # seconds of one wait on a socket of the thread
THREAD_STACK = 16384  # bytes of the thread's stack
LATE_LABELS = 16  # labels of late news kept for the next note
ROOMY_HEAP = 524288  # bytes of heap from which two TLS connections at once fit

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
OFFLINE_SHOWN = 20  # memories listed in one answer
LAST_SECONDS = 2  # seconds to wait for usage figures after the end of an answer
SERVER_CHARS = 200  # characters of a server's error message that are shown
ERROR_BYTES = 4096  # bytes read of an error answer
RETRIES = 2  # times that a busy server is asked again
RETRY_SECONDS = 20  # longest pause before asking again
HISTORY_LEAST = 1000  # bytes of history below which a request is not shortened further
TOOL_LEAST = 512  # bytes of a tool result that are kept however long the turn
MARK_CHARS = 200  # characters kept free in a stored answer for a mark at its end
SHORT_BYTES = 512  # bytes of an answer that are stored when there is no memory for more
IDLE_SECONDS = 20  # seconds between two looks for a quiet moment
CONFIG_BYTES = 8192  # bytes of the settings file
SETTING_CHARS = 500  # characters of one setting
WIFI_SECONDS = 20  # seconds for one attempt to connect
WIFI_RETRIES = 3  # attempts of the driver itself
WIFI_FIRST = 5  # first pause between attempts, seconds; each is twice the one before
WIFI_PAUSE = 300  # longest pause between attempts, seconds
WIFI_LOOK = 5  # seconds between two looks whether the link is up
NETWORKS = 20  # networks listed by the wizard, the strongest
SETUP_CLOCK_SECONDS = 20  # seconds that the wizard waits for the time before it tests a server
NTP_PAUSES = (2, 5, 15)  # seconds after each failed attempt to get the time
