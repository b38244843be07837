"""The limits of the firmware, each with its unit; tests lower them by assignment.

Those that not every turn needs are in limits_more.py and read like the ones here.
"""

# sessions
SESSION_BYTES = 153600  # bytes of .log after which a completed turn triggers compaction
SESSION_MOST = 307200  # bytes up to which a session goes on while no summary is to be had
MESSAGE_CHARS = 4096  # characters of one text record, default
PATH_BYTES = 191  # bytes of a path that ESP-Claw can still open
SESSION_ID_BYTES = 255  # bytes
CHAT_KEY_BYTES = 159  # bytes
STATE_BYTES = 512  # bytes of a session's file of numbers
OPEN_SESSIONS = 2  # sessions whose state is kept in RAM
MAP_BYTES = 8192  # bytes of a file that names the sessions of a chat

# long-term items
SOURCE_BYTES = 15  # bytes
CONTENT_BYTES = 255  # bytes
TAGS_BYTES = 95  # bytes
KEYWORDS_BYTES = 127  # bytes
LABEL_BYTES = 39  # bytes
TERMS = 3  # labels, tags and keywords per item, each
RECORD_BYTES = 1023  # bytes of one record line that ESP-Claw can still read
ITEMS = 128  # active items kept by a compaction
DEAD_BYTES = 4096  # bytes of superseded lines below which no compaction starts
GRAVES = 32  # forgotten items beyond which a compaction follows the turn
CONTAINED_BYTES = 12  # normalised bytes from which containment counts as a duplicate
RECALL_DEFAULT = 8  # items
RECALL_MAX = 32  # items a tool call may ask for
DIGEST_BYTES = 32768  # bytes of the digest log beyond which a quiet moment is used to compact
DIGEST_WAITING = 160  # bytes of digest lines about changes that may wait in RAM
DERIVE_SECONDS = 600  # seconds between two rewrites of MEMORY.md
TOOL_OUTPUT = 8192  # bytes of one tool result

# context
COMPACT_PAUSE = 8  # turns until a failed condensing is tried again
HISTORY_LEAST = 1000  # bytes of history below which a request is not shortened further
PROFILE_BYTES = 8192  # bytes of one profile file that are put before the model
PROFILES_BYTES = 24576  # bytes of all profile files together that are put before the model
GUIDANCE_BYTES = 4096  # bytes of skills/memory.md that are put before the model

# daily notes
NOTE_BYTES = 512  # bytes of one line
NOTES_SHOWN = 4096  # bytes of notes put before the model
NOTE_SESSIONS = 4  # sessions for which it is kept in RAM what notes they began with

CONDENSE_ROOM = 65536  # bytes of a chip's heap without which a conversation is not condensed
WINDOW_LEAST = 2048  # tokens of a request below which no setting lowers it

# core
INBOX = 4  # events that wait while the agent is busy
KEYS = 64  # typed bytes that are taken at once
AHEAD_CHARS = 4096  # characters of the lines typed during a reply; one line always waits
LINE_BYTES = 16384  # bytes of one line typed at the console
ROUNDS = 10  # tool rounds per message
CALLS = 8  # tool calls of one round that are run
REPEATS = 3  # identical calls with identical results that end the turn
ARGS_BYTES = 8192  # bytes of the arguments of one tool call
TURN_TOOL_BYTES = 49152  # bytes of tool arguments and results stored in one turn
HTTP_PIECE = 512  # bytes sent or received at once
HEAD_BYTES = 8192  # bytes of the head of an HTTP answer
BODY_BYTES = 4194304  # bytes of the body of an HTTP answer
EVENT_BYTES = 65536  # bytes of one server-sent event
CONNECT_SECONDS = 10  # seconds until a connection stands
TLS_SECONDS = 15  # seconds until a connection is safe
DNS_SECONDS = 15  # seconds for looking up a name
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
LATE_LABELS = 16  # labels of late news kept for the next note
ROOMY_HEAP = 524288  # bytes of heap from which two TLS connections at once fit

# the offline model
LAST_SECONDS = 2  # seconds to wait for usage figures after the end of an answer
TOOL_LEAST = 512  # bytes of a tool result that are kept however long the turn
SHORT_BYTES = 512  # bytes of an answer that are stored when there is no memory for more
MARK_CHARS = 200  # characters kept free in a stored answer for a mark at its end
IDLE_SECONDS = 20  # seconds between two looks for a quiet moment
CONFIG_BYTES = 8192  # bytes of the settings file
SETTING_CHARS = 500  # characters of one setting
WIFI_LOOK = 5  # seconds between two looks whether the link is up


def __getattr__(name):
    from claw_memory import limits_more

    return getattr(limits_more, name)
