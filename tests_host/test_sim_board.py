"""The simulated board behaves as a board does: serial port, restarts, power cuts, mpremote."""

import os
import re
import signal
import subprocess
import sys
import time

from tests_host import boardlib
import pytest
from tests_host.boardlib import BANNER, REPL, Board

ECHO = """
import asyncio, micropython, sys
async def chat():
    reader = asyncio.StreamReader(sys.stdin.buffer)
    line = b""
    sys.stdout.write("you> ")
    while True:
        c = await reader.read(1)
        if c == b"\\x03" or (c in b"\\r\\n" and line == b"/exit"):
            return
        if c in b"\\r\\n":
            sys.stdout.write("\\necho %s\\nyou> " % line.decode())
            line = b""
        else:
            line += c
micropython.kbd_intr(-1)
try:
    asyncio.run(chat())
finally:
    micropython.kbd_intr(3)
    asyncio.new_event_loop()
print("bye")
"""


def wait_until(condition, seconds=10.0):
    """True as soon as condition() holds, False when it does not within seconds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return False


def children(pid):
    """Process ids of the living children of a process."""
    done = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid=,stat="], stdout=subprocess.PIPE, text=True, check=True
    )
    rows = [line.split() for line in done.stdout.splitlines()]
    return [int(row[0]) for row in rows if row[1] == str(pid) and not row[2].startswith("Z")]


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture(params=["lfs2", "fat", "ffat"])
def bare(request):
    with Board(fs=request.param) as board:
        board.expect(BANNER)
        yield board


@pytest.fixture
def board():
    with Board() as board:
        board.expect(BANNER)
        yield board


# --- start, prompt, interpreter ------------------------------------------------------------


def test_boot_and_main_run_in_order_and_leave_no_names_of_the_prelude():
    files = {"/boot.py": "x = 1\nprint('boot', __name__)", "/main.py": "print('main', x)"}
    with Board(files) as board:
        text = board.expect(BANNER)
        assert text.startswith("boot __main__\r\nmain 1\r\nMicroPython ")
        names = board.repl("sorted(dir())").strip()
        assert names == "['__name__', 'x']", names
        assert board.repl("import sys; sys.path") == "['', '.frozen', '/lib']\r\n"
        assert board.repl("sys.argv") == "[]\r\n"


def test_exception_in_main_shows_its_traceback_and_leads_to_the_repl():
    with Board({"/main.py": "def f():\n    1 / 0\nf()\n"}) as board:
        text = board.expect(BANNER)
    lines = text.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[1].strip() == 'File "main.py", line 3, in <module>'
    assert lines[2].strip() == 'File "main.py", line 2, in f'
    assert lines[3] == "ZeroDivisionError: divide by zero"
    assert lines[4].startswith("MicroPython ")


def test_exception_in_boot_keeps_main_from_running():
    with Board({"/boot.py": "raise ValueError(7)", "/main.py": "print('main')"}) as board:
        text = board.expect(BANNER)
    assert "ValueError: 7" in text and "main\r\n" not in text


def test_type_ahead_at_the_prompt_is_kept(board):
    board.send("1+1\r2+2\rimport time\rtime.sleep(0.3)\r3+3\r")
    text = board.expect("3+3\r\n6\r\n>>> ")
    assert "1+1\r\n2\r\n>>> 2+2\r\n4\r\n" in text


def test_lines_end_with_return_and_newline_once(board):
    assert board.repl("print('a\\nb')") == "a\r\nb\r\n"
    assert board.repl("import sys; n = sys.stdout.write('c\\r\\nd\\n')") == "c\r\nd\r\n"


@pytest.mark.parametrize("heap", ["128K", "256K", "1M"])
def test_boot_finds_the_heap_that_was_asked_for(heap):
    size = int(heap[:-1]) * (1024 if heap[-1] == "K" else 1024 * 1024)
    with Board(
        {"/boot.py": "import gc\ngc.collect()\nprint('free', gc.mem_free())"}, heap=heap
    ) as board:
        free = int(board.expect(BANNER).split()[1])
    assert size <= free <= size + 4096, free - size


def test_names_of_the_firmware_have_as_much_room_as_on_a_chip():
    with Board({"/boot.py": "import micropython\nmicropython.qstr_info()"}) as board:
        names = int(re.search(r"n_qstr=(\d+)", board.expect(BANNER))[1])
    assert 1220 < names <= 1260, names  # those that follow go to a table for 1,280


def test_files_survive_restart_and_reset_cause_tells_why(bare):
    assert bare.repl("import machine; machine.reset_cause()") == "1\r\n"
    bare.repl("f = open('/a.txt', 'w'); n = f.write('x' * 3000); f.close()")
    bare.send("\x04")
    assert "MPY: soft reboot\r\n" in bare.expect(BANNER)
    assert bare.repl("f").endswith("NameError: name 'f' isn't defined\r\n")
    assert bare.repl("import machine; machine.reset_cause()") == "5\r\n"
    bare.reset()
    assert "soft reboot" not in bare.expect(BANNER)
    assert bare.repl("import machine; machine.reset_cause()") == "2\r\n"
    bare.power_cut()
    bare.expect(BANNER)
    assert bare.repl("import machine; machine.reset_cause()") == "1\r\n"
    assert bare.repl("len(open('/a.txt').read())") == "3000\r\n"


def test_file_system_is_the_one_asked_for(bare):
    kind = {"lfs2": "VfsLfs2", "fat": "VfsFat", "ffat": "VfsFat"}[bare.fs]
    assert bare.repl("import vfs; [(type(v).__name__, p) for v, p in vfs.mount()]") == (
        "[('%s', '/')]\r\n" % kind
    )
    bare.repl("import esp32; P = esp32.Partition")
    found = bare.repl("[p.info()[4] for p in P.find(P.TYPE_DATA)]")
    assert found == ("['ffat']\r\n" if bare.fs == "ffat" else "['vfs']\r\n")


def test_soft_reset_by_program_and_by_exit_in_main():
    with Board(
        {"/main.py": "import machine\nif machine.reset_cause() == 1:\n    raise SystemExit"}
    ) as board:
        assert "MPY: soft reboot\r\n" in board.expect(BANNER)
        board.send_line("machine.soft_reset()")
        assert "MPY: soft reboot\r\n" in board.expect(BANNER)


def test_deep_sleep_and_watchdog_restart(board):
    started = time.monotonic()
    board.send_line("import machine; machine.deepsleep(400)")
    board.expect(BANNER)
    assert time.monotonic() - started >= 0.4
    assert board.repl("import machine; machine.reset_cause()") == "4\r\n"
    board.repl("w = machine.WDT(timeout=600)")
    for _ in range(4):
        time.sleep(0.3)
        board.repl("w.feed()")
    board.expect(BANNER)
    assert board.repl("import machine; machine.reset_cause()") == "3\r\n"


# --- Ctrl-C ---------------------------------------------------------------------------------


def test_ctrl_c_interrupts_a_running_program_as_often_as_wanted(board):
    for statement in ("while True: pass\r", "import time; time.sleep(60)"):
        board.send_line(statement)
        time.sleep(0.2)
        board.send("\x03\x03")
        assert "KeyboardInterrupt" in board.expect(REPL)
        # The second Ctrl-C may end the program or a prompt of its own, so prompts are not counted.
        board.send_line("print('a' + 'b')")
        board.expect("ab\r\n>>> ")


def test_ctrl_c_interrupts_main():
    with Board({"/main.py": "print('on')\nwhile True:\n    pass\n"}) as board:
        board.expect("on\r\n")
        time.sleep(0.1)
        board.send("\x03")
        assert "KeyboardInterrupt" in board.expect(BANNER)


def test_ctrl_c_is_a_key_while_interrupts_are_off():
    program = """
import micropython, sys
micropython.kbd_intr(-1)
print("off")
print(sys.stdin.buffer.read(3))
micropython.kbd_intr(3)
print("on")
while True:
    pass
"""
    with Board({"/main.py": program}) as board:
        board.expect("off\r\n")
        board.send("a\x03b")
        board.expect("b'a\\x03b'\r\non\r\n")
        time.sleep(0.1)
        board.send("\x03")
        assert "KeyboardInterrupt" in board.expect(BANNER)


# --- the serial port ------------------------------------------------------------------------


def test_large_lines_and_all_bytes_pass_both_ways():
    program = """
import micropython, sys
micropython.kbd_intr(-1)
print("go")
got = sys.stdin.buffer.read(200000)
print(sum(got), len(got))
n = sys.stdout.write("x" * 300000)
print("end")
"""
    data = bytes(range(256)) * 800
    data = data[:200000]
    with Board({"/main.py": program}) as board:
        board.expect("go\r\n")
        board.send(data)
        board.expect("%d %d\r\n" % (sum(data), len(data)))
        text = board.expect("end\r\n")
    assert text == "x" * 300000 + "end\r\n"


def test_long_line_and_its_echo_do_not_block_each_other():
    with Board({"/main.py": ECHO}) as board:
        board.prompt()
        line = "x" * 100000
        assert board.ask(line, 60) == "\r\necho %s\r\nyou> " % line


def test_board_runs_on_without_a_terminal():
    program = """
import time
for i in range(3000):
    print("line", i, "." * 60)
with open("/done", "w") as f:
    f.write("yes")
"""
    with Board({"/main.py": "time = 0\nprint('up')\n"}) as board:
        board.expect(BANNER)
        board.disconnect()
        time.sleep(0.2)
        with open(os.path.join(board.directory, "p.py"), "w") as file:
            file.write(program)
        board.mpremote("run", "--no-follow", os.path.join(board.directory, "p.py"))
        time.sleep(1.0)
        assert board.mpremote("fs", "cat", ":/done") == "yes"


def test_first_terminal_sees_the_start_though_it_comes_late(tmp_path):
    link, image = str(tmp_path / "tty"), str(tmp_path / "flash.img")
    process = start_supervisor(link, image)
    try:
        time.sleep(1.0)
        fd = os.open(link, os.O_RDWR | os.O_NOCTTY)
        assert b'"help()"' in read_for(fd, 1.0)
        os.close(fd)
    finally:
        process.terminate()
        assert process.wait(10) == 0
    assert not os.path.lexists(link)


def read_for(fd, seconds):
    import select

    data = b""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if select.select([fd], [], [], 0.1)[0]:
            data += os.read(fd, 4096)
    return data


def start_supervisor(link, image, *options):
    process = subprocess.Popen(
        [
            sys.executable,
            boardlib.board_process.SIM_BOARD,
            "--link",
            link,
            "--image",
            image,
            *options,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stdout.readline()
    return process


# --- the supervisor -------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_supervisor_leaves_no_process_behind(tmp_path, number):
    link, image = str(tmp_path / "tty"), str(tmp_path / "flash.img")
    process = start_supervisor(link, image)
    assert wait_until(lambda: len(children(process.pid)) == 1)
    interpreter = children(process.pid)[0]
    process.send_signal(number)
    code = process.wait(10)
    assert code == (-signal.SIGKILL if number == signal.SIGKILL else 0)
    assert wait_until(lambda: not alive(interpreter))
    process.stdout.close()
    process.stderr.close()


def test_board_ends_with_the_program_that_started_it(board):
    interpreter = children(board.process.pid)[0]
    board.process.stdin.close()
    assert board.process.wait(10) == 0
    assert wait_until(lambda: not alive(interpreter))


def test_power_cycle_by_signal_keeps_the_terminal(board):
    board.repl("x = 1")
    board.process.send_signal(signal.SIGUSR1)
    board.expect(BANNER)
    assert board.repl("import machine; machine.reset_cause()") == "1\r\n"


def test_power_cut_in_the_middle_of_writing_leaves_a_readable_image(bare):
    bare.send_line("i = 0")
    bare.expect(REPL)
    bare.send_line(
        "while True: f = open('/n', 'w'); f.write(str(i)); f.close(); i += 1; print(i)\r"
    )
    bare.expect("\r\n50\r\n")
    bare.power_cut()
    bare.expect(BANNER)
    assert "'n'" in bare.repl("import os; os.listdir('/')")


def revisions(image):
    """Revision of the first and the second superblock of a LittleFS2 image."""
    with open(image, "rb") as f:
        first = f.read(4)
        f.seek(4096)
        return [int.from_bytes(data, "little") for data in (first, f.read(4))]


def test_power_cut_while_the_first_block_is_erased_keeps_the_files():
    with Board(fs="lfs2") as board:
        board.expect(BANNER)
        for turn in range(100):
            board.repl("f = open('/n', 'w'); f.write('%d'); f.close()" % turn)
            first, second = revisions(board.image)
            if second > first:
                break
        assert second > first
        board.power_off()
        with open(board.image, "r+b") as f:
            f.write(b"\xff" * 4096)
        board.power_on()
        board.expect(BANNER)
        assert board.repl("print(open('/n').read())") == "%d\r\n" % turn


def test_boot_loop_is_stopped_with_one_sentence():
    with pytest.raises(boardlib.board_process.BoardStopped) as stopped, Board(
        {"/boot.py": "import machine\nmachine.reset()"}
    ) as board:
        board.expect("never")
    assert str(stopped.value).startswith("The board restarted 5 times in a row")


def test_interpreter_that_dies_is_started_again(board):
    os.kill(children(board.process.pid)[0], signal.SIGSEGV)
    assert "The interpreter ended by signal 11; restarting.\r\n" in board.expect(BANNER)


@pytest.mark.parametrize(
    "options, sentence",
    [
        (["--heap", "lots"], "The heap size 'lots' is not a number with K or M, such as 256K."),
        (["--heap", "4K"], "A heap of 4K is too small: 32K is the least that starts."),
        (["--world", "{"], "--world is not JSON"),
        (["--world", "[1]"], "--world is not JSON"),
        (["--sd", "/nonexistent/card.img"], "The board cannot run: "),
    ],
)
def test_wrong_options_give_one_sentence(tmp_path, options, sentence):
    process = start_supervisor(str(tmp_path / "tty"), str(tmp_path / "flash.img"), *options)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 1
    assert errors.startswith(sentence) and errors.count("\n") == 1, errors


def test_image_of_a_running_board_is_refused(board, tmp_path):
    process = start_supervisor(str(tmp_path / "tty"), board.image)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert "is in use by another simulated board" in errors
    assert board.repl("1+1") == "2\r\n"


def test_link_that_is_a_file_is_refused_and_kept(tmp_path):
    link = tmp_path / "tty"
    link.write_text("mine")
    process = start_supervisor(str(link), str(tmp_path / "flash.img"))
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 1 and "is no link" in errors
    assert link.read_text() == "mine"


def test_image_without_a_file_system_leads_to_the_repl_with_one_line(tmp_path):
    path = tmp_path / "flash.img"
    path.write_bytes(b"garbage " * (1 << 17))
    with Board(image_file=path) as board:
        text = board.expect(BANNER)
        assert text.startswith("The flash image holds no file system that this board can read")
        assert text.count("\n") == 3
        assert board.repl("1+1") == "2\r\n"


@pytest.mark.parametrize("fs", ["lfs2", "fat"])
def test_write_protected_image_can_be_read_but_not_written(fs):
    with Board({"/a": "hello"}, fs=fs) as board:
        board.expect(BANNER)
        board.power_off()
        before = open(board.image, "rb").read()
        os.chmod(board.image, 0o444)
        board.power_on()
        board.expect(BANNER)
        assert board.repl("open('/a').read()") == "'hello'\r\n"
        assert "OSError: 30" in board.repl("open('/b', 'w').write('x')")
        board.power_off()
        assert open(board.image, "rb").read() == before
        board.power_on()


# --- settings from the host -----------------------------------------------------------------

SECRET = "sk-5f1d0c3b9e"


def test_settings_of_the_environment_reach_the_board_and_nothing_else():
    env = {"CLAW_BASE_URL": "http://127.0.0.1:9", "CLAW_MODEL": "m", "CLAW_API_KEY": SECRET}
    with Board(env=env) as board:
        board.expect(BANNER)
        text = board.repl("import claw_env; sorted(claw_env.SETTINGS.items())")
        assert text == (
            "[('model.base_url', 'http://127.0.0.1:9'), ('model.key', '%s'), "
            "('model.name', 'm'), ('model.provider', 'openai')]\r\n" % SECRET
        )
        assert board.repl("import os; os.getenv('CLAW_API_KEY')") == ""
        if os.path.isdir("/proc/self"):
            interpreter = children(board.process.pid)[0]
            for pid, files in (
                (interpreter, ("environ", "cmdline")),
                (board.process.pid, ("cmdline",)),
            ):
                for name in files:
                    with open("/proc/%d/%s" % (pid, name), "rb") as file:
                        assert SECRET.encode() not in file.read()
        board.power_off()
        for directory, _, files in os.walk(board.directory):
            for name in files:
                with open(os.path.join(directory, name), "rb") as file:
                    assert SECRET.encode() not in file.read()
        board.power_on()


def test_without_settings_there_is_no_claw_env(board):
    assert "ImportError" in board.repl("import claw_env")


def test_fat_on_raw_flash_is_named_once_with_what_to_do():
    with Board(firmware=True, fs="ffat") as board:
        shown = board.prompt()
        assert shown.count("a power cut can destroy it") == 1
        assert "LittleFS2" in shown and "SD card" in shown
        assert "power cut" not in board.ask("hello")
    with Board(firmware=True, fs="fat") as board:
        assert "power cut" not in board.prompt()


def test_an_unfinished_update_is_one_line_and_no_chat():
    for files in ({"/update.part": b"{}"}, {"/update.part": b"{}", "/main.py": b""}):
        with Board(files=files, firmware=True) as board:
            shown = board.expect(REPL)
            assert shown.count("update did not finish") == 1
            assert "you> " not in shown and "Traceback" not in shown


def test_ctrl_c_while_the_board_starts_never_shows_the_files_of_the_host():
    with Board(files={"/main.py": b"print('main ran')\n"}) as board:
        board.expect(REPL)
        for _ in range(8):
            board.power_cut()
            for _ in range(30):
                board.send("\x03")
                board.read(0.01)
            board.send_line("import os; print('files', 'etc' in os.listdir('/'))")
            board.expect("files False")
