"""The rows of the benchmark's table: figure, what it says, target, unit."""

# (name, text, target or None, unit); a figure is good when it is at most the target, a share
# when it is at least that.
ROWS = (
    ("store_first_10", "one more memory, 10 to 20 stored: bytes written, mean", 500, "B"),
    ("store_last_10", "one more memory, 115 to 125 stored: bytes written, mean", 500, "B"),
    ("store_max", "one more memory, 10 to 125 stored: bytes written, most", 500, "B"),
    ("store_cap_mean", "one more at the cap, mean of 640, all included, LittleFS2", 1300, "B"),
    ("store_cap_mean_fat", "the same, FAT", 1500, "B"),
    ("update_cap_mean", "one update at 128, mean of 640, all included, LittleFS2", 1000, "B"),
    ("update_cap_mean_fat", "the same, FAT", 1500, "B"),
    ("boot_written", "clean boot with 127 memories: bytes written", 0, "B"),
    ("recall_read", "recall 8 of 128, warm: bytes read", 8192, "B"),
    ("append_read_1000", "session append at 1,000 records: bytes read", 64, "B"),
    ("heap_import", "smallest heap that imports what a chat needs", 144, "KiB"),
    ("mpy_store_import", "the same, what a turn that stores a memory needs", None, "KiB"),
    ("heap_turn_1000", "smallest heap for a full turn, 1,000 messages, LittleFS2", 224, "KiB"),
    ("heap_turn_1000_posix", "the same, VfsPosix", 224, "KiB"),
    ("heap_turn_10000", "the same with 10,000 messages, LittleFS2", 224, "KiB"),
    ("heap_turn_learning", "the same with 1,000, and learning in the background", None, "KiB"),
    ("last20", "last 20 messages, 10,000 stored / 100 stored: time", 1.3, "x"),
    ("mpy_bytes", "what a chat with one tool round imports, as .mpy", 62 * 1024, "B"),
    ("mpy_store_bytes", "the same, a memory stored and labels recalled", None, "B"),
    ("mpy_learning_bytes", "the same, and learning in the background", None, "B"),
    ("wear_tools_programmed", "bytes programmed per turn with tools / a plain log", 1.5, "x"),
    ("wear_tools_erases", "blocks erased per turn with tools / a plain log", 1.5, "x"),
    ("wear_plain_programmed", "bytes programmed per turn without tools / a plain log", 1.8, "x"),
    ("wear_plain_erases", "blocks erased per turn without tools / a plain log", 1.8, "x"),
    ("append_floor", "session append / append of the same bytes, LittleFS2", 3, "x"),
    ("append_flat_posix", "session append at 10,000 records / at 10, VfsPosix", 1.3, "x"),
    ("append_flat", "the same, LittleFS2", 1.3, "x"),
    ("floor_flat", "a plain append to files of these sizes, LittleFS2", None, "x"),
    ("store_flat", "store at 120 memories / at 10", 1.3, "x"),
    ("recall_raw", "recall 8 of 128 / reading those 8 lines, LittleFS2", 6, "x"),
    ("open_json", "opening a store of 128 / json.loads of its lines, LittleFS2", 2, "x"),
    ("compaction_copy", "session compaction of 160 KB / copying the kept bytes", 3, "x"),
    ("search_recall_en_held", "search: answer in the first 5, English, set aside", 0.9, "share"),
    ("search_substring_en_held", "the same questions, by substrings", None, "share"),
    ("search_recall_zh_held", "search: answer in the first 5, Chinese, set aside", 0.9, "share"),
    ("search_substring_zh_held", "the same questions, by substrings", None, "share"),
    ("search_recall_en_tuned", "search: English, the half used for tuning", 0.9, "share"),
    ("search_substring_en_tuned", "the same questions, by substrings", None, "share"),
    ("search_recall_zh_tuned", "search: Chinese, the half used for tuning", 0.9, "share"),
    ("search_substring_zh_tuned", "the same questions, by substrings", None, "share"),
    ("search_heap", "index of 128 memories as long as they can be: heap", 24 << 10, "B"),
    ("search_heap_usual", "index of the 128 memories of the questions: heap", None, "B"),
    ("search_step_ms", "longest step of a search", 5, "ms"),
    ("search_ms", "a search, all steps", None, "ms"),
    ("search_first_ms", "the first one, which makes the index", None, "ms"),
)
RIVALS = ("esp_claw", "exoclaw_0.32")


def shown(value, unit):
    """A figure as it stands in the table."""
    if value is None:
        return "-"
    if unit in ("x", "share"):
        return "%.2f" % value
    return "{:,}".format(value)


def lines(figures, baselines):
    """The lines of the table."""
    form = "%-62s %10s %10s %10s %10s  %s"
    yield form % ("", "ESP-Claw", "exoclaw", "target", "today", "")
    for name, text, target, unit in ROWS:
        value = figures.get(name)
        cells = [shown(baselines[rival].get(name), unit) for rival in RIVALS]
        good = ""
        if value is not None and target is not None:
            good = "ok" if (value >= target if unit == "share" else value <= target) else "over"
        cells += [shown(target, unit), shown(value, unit)]
        yield form % ("%s [%s]" % (text, unit), *cells, good)
