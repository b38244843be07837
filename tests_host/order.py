"""In which order the tests run: the longest first, and each worker gets its share of them."""

# What takes more than about five seconds, the slowest first: a test (without [ with all of its
# parameters), or a file whose tests share something that takes long to make.
LONGEST = (
    "test_powercut.py::test_nothing_is_lost_in_a_sample_of_cuts",
    "test_life.py",
    "test_search_quality.py",
    "test_soak.py::test_a_short_soak",
    "test_powercut.py::test_a_planted_mistake_is_noticed[no_fill-lfs2-erase_medium]",
    "test_setup.py::test_from_the_first_boot_to_the_first_answer",
    "test_unattended.py::test_the_watchdog_bites_when_the_loop_is_gone_and_not_before",
    "test_unattended.py::test_wifi_is_joined_again_after_a_loss_and_the_chat_lives_meanwhile",
    "test_sim_board.py::test_long_line_and_its_echo_do_not_block_each_other",
    "test_memory_tool_board.py::test_a_chat_is_backed_up_wiped_and_brought_back",
    "test_powercut.py::test_refused_operations_leave_the_store_as_it_was[--scarce-ops2-60]",
    "test_vectors.py::test_all_recordings_hold[micropython]",
    "test_house.py::test_pyright_is_clean_with_the_stubs_of_the_board",
    "test_net_context.py::test_a_long_conversation_never_exceeds_the_window[openai-cpython]",
    "test_net_context.py::test_a_long_conversation_never_exceeds_the_window[anthropic-cpython]",
    "test_fail_nth_memory.py::test_compaction_of_memories",
    "test_bad_extras.py::test_a_chat_goes_on_whatever_is_damaged",
    "test_flash_board.py::test_silent_port_is_one_sentence",
    "test_longterm_properties.py::test_histories_agree_with_the_model",
    "test_extractor.py::test_the_thread_under_load",
    "test_fuzz.py::test_no_damage_loses_what_is_still_there[0]",
    "test_fuzz.py::test_no_damage_loses_what_is_still_there[1]",
    "test_powercut.py::test_a_planted_mistake_is_noticed[one_by_one-lfs2-session_condensed]",
    "test_longterm_properties.py::test_containment_agrees_with_a_regular_expression",
    "test_readme.py::test_transcripts_are_what_the_board_prints",
    "test_powercut.py::test_refused_operations_leave_the_store_as_it_was",
    "test_chat.py::test_two_chats_on_one_image_are_refused",
)


def rank(name):
    """The place in LONGEST of the test with this name, file.py::test[parameters], or its end."""
    for at, known in enumerate(LONGEST):
        if name == known or name.startswith((known + "[", known + "::")):
            return at
    return len(LONGEST)


def longest_first(items, workers):
    """The tests in an order in which the longest start at once.

    pytest-xdist gives each worker the next n-th part of the order, so that the longest are dealt
    out to the beginnings of these parts. All others stay as they are, those of a file together.
    """
    groups = {}
    for item in items:
        groups.setdefault(rank(item.nodeid.rsplit("/", 1)[-1]), []).append(item)
    others = groups.pop(len(LONGEST), [])
    longest = [groups[at] for at in sorted(groups)]
    shares = [sum(longest[worker::workers], []) for worker in range(workers)]
    if max(map(len, shares)) > len(items) // workers:
        return sum(longest, []) + others  # too few to deal out
    found = []
    for own, size in zip(shares, parts(len(items), workers)):
        room = size - len(own)
        found += own + others[:room]
        del others[:room]
    return found


def parts(count, workers):
    """How many of so many tests pytest-xdist gives to each of its workers at first."""
    left = count
    sizes = []
    for worker in range(workers):
        sizes.append(left // (workers - worker))
        left -= sizes[-1]
    return sizes
