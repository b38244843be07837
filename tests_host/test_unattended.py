"""The board on its own: a watchdog that bites only when it should, no terminal, Wi-Fi."""

import re
import time

from tests_host.boardlib import PROMPT, REPL, Board

from tests_host.model_server import ModelServer, text


def test_the_watchdog_bites_when_the_loop_is_gone_and_not_before():
    slow = text("at last")
    slow.stall_at, slow.stall = 0, 13
    settings = '{"watchdog.seconds":5,"extract.enabled":false}'  # raised to 10
    with ModelServer([slow]) as server:
        env = {"CLAW_BASE_URL": server.url, "CLAW_MODEL": "scripted"}
        with Board(firmware=True, files={"/config.json": settings}, env=env) as b:
            b.prompt()
            assert "claw> at last" in b.ask("hello", timeout=60)
            shown = b.ask("/status")
            assert "started by pwron reset" in shown
            assert re.search(r"storage: / on lfs2, \d+ of 4194304 bytes free", shown), shown
            b.send_line("/exit")
            assert "restarts the board in 10 s" in b.expect(REPL)
            b.expect(PROMPT, timeout=60)
            assert "started by wdt reset" in b.ask("/status")


def test_without_a_terminal_a_reply_is_finished_and_stored():
    long = "word " * 20000
    with ModelServer([text(long, piece=500), text("after")]) as server:
        env = {"CLAW_BASE_URL": server.url, "CLAW_MODEL": "scripted"}
        with Board(firmware=True, env=env) as b:
            b.prompt()
            b.send_line("talk")
            b.expect("word word ")
            b.disconnect()
            time.sleep(3)
            b.connect()
            b.send_line("and now?")
            b.expect("claw> after", timeout=60)
        kept = server.requests[1].json["messages"]
        assert kept[-2]["content"].endswith("the answer had %d characters]" % len(long))


def test_wifi_is_joined_again_after_a_loss_and_the_chat_lives_meanwhile():
    settings = '{"wifi.ssid":"ClawNet","wifi.password":"clawclawclaw"}'
    with Board(firmware=True, files={"/config.json": settings}) as b:
        b.expect("Wi-Fi connected, 192.168.4.2", timeout=60)
        shown = b.ask("/status")
        while "Wi-Fi: connected" not in shown:  # a prompt of before may have been taken for it
            shown = b.prompt()
        b.send_line("/config set wifi.ssid Nowhere")
        b.expect("no Wi-Fi at Nowhere: it is not on the air; next try in 5 s", timeout=60)
        b.send_line("/status")
        b.expect("Wi-Fi: not connected")
        b.send_line("/config set wifi.ssid ClawNet")
        b.expect("Wi-Fi connected, 192.168.4.2", timeout=60)
