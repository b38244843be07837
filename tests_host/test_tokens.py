"""The estimate of tokens against a real vocabulary: never below, and at most 15 % above it."""

import json

import bpe_openai
import pytest

import claw_caps
from claw_core import tokens
from claw_core.capability import Capabilities
from claw_core.config import Config
from claw_memory.memory import Memory
from tests_host.test_house import REPO

VOCABULARY = bpe_openai.get_encoding("o200k_base")
CHAT = """My cat is called Pixel and she is seven years old. I take oat milk in my coffee, never
cow's milk. On Thursdays I usually work from home because the train to York is replaced by a bus,
which takes almost two hours. Could you remind me to call the dentist on Monday morning? The number
is 01904 555 019. Thanks! By the way, what did we decide about the greenhouse: was it the aluminium
frame or the wooden one? I'd rather not spend more than 450 pounds, and it has to be finished
before the tomatoes need it in May."""
CHINESE_CHAT = """我家的猫叫小白，今年七岁了。我喝咖啡的时候只加燕麦奶，从来不加牛奶。星期
四我一般在家里上班，因为去公司的火车换成了公交车，要坐将近两个小时。请你提醒我下星期一早
上给牙医打电话，号码是010-8765-4321。对了，我们上次关于温室是怎么决定的？是
铝合金的框架还是木头的？我不想花超过四千块钱，而且必须在五月份番茄种下去之前完工。谢谢你
！"""
CHINESE_PROSE = """单片机是一种集成电路芯片，是采用超大规模集成电路技术把具有数据处理能力的
中央处理器、随机存储器、只读存储器、多种输入输出接口和中断系统、定时器等功能集成到一块硅
片上构成的一个小而完善的微型计算机系统，在工业控制领域广泛应用。春天来了，院子里的桃花开
得正好，奶奶坐在门口择菜，一边听收音机里的京剧，一边和邻居聊孩子们上学的事情。"""
MIXED = """我的 Wi-Fi 网络叫 ClawNet，密码是 hunter2-4711。The board is an ESP32-S3 (N16R8),
固件版本 v1.26.1，IP 地址 192.168.4.2。"""
CALL = {
    "name": "memory_store",
    "arguments": '{"content":"The cat is called Pixel","tags":["pet"]}',
}
RECORDS = [
    {"role": "user", "content": "my cat is called Pixel and I take oat milk in my coffee"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "call_memory_store_0", "type": "function", "function": CALL}],
    },
    {
        "role": "tool",
        "tool_call_id": "call_memory_store_0",
        "content": '{"ok":true,"id":"mem-1795988618-8619","labels":["pet"]}',
        "is_error": False,
    },
    {"role": "assistant", "content": "Noted: your cat is called Pixel."},
]
ITEMS = [
    {
        "id": "mem-%d-%d" % (1750000000 + n * 977, n * 13 % 9999),
        "source": "auto_llm",
        "content": "Fact number %d about the garden" % n,
        "tags": "garden,plants",
        "created_at": 1750000000 + n * 977,
        "deleted": False,
        "summary_ids": [n, n + 1],
    }
    for n in range(12)
]
READINGS = [
    {"t": 20.5 + n * 0.25, "h": 48 - n, "ok": True, "at": "2026-11-29T22:%02d:00Z" % n}
    for n in range(15)
]


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


SAMPLES = {
    "english chat": CHAT,
    "english readme": (REPO / "README.md").read_text("utf-8")[:1200],
    "english prose": (REPO / "docs/durability.md").read_text("utf-8")[:6000],
    "chinese chat": CHINESE_CHAT,
    "chinese prose": CHINESE_PROSE,
    "chinese and english": MIXED,
    "json of a session": "\n".join([compact(record) for record in RECORDS]),
    "json of memories": compact(ITEMS),
    "json of a sensor": json.dumps({"device": "esp32-s3", "readings": READINGS}),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_an_estimate_is_never_low_and_at_most_15_percent_high(name):
    check(SAMPLES[name])


def test_the_tools_as_they_are_sent(tmp_path):
    memory = Memory(str(tmp_path))
    caps = Capabilities()
    claw_caps.register_all(caps, memory, Config(str(tmp_path / "config.json")))
    check(b"".join(caps.tools_chunks()).decode())


def check(text):
    real = len(VOCABULARY.encode_ordinary(text))
    found = tokens.estimate(text)
    print("%d estimated, %d counted, %+.1f %%" % (found, real, 100 * (found / real - 1)))
    assert real <= found <= 1.15 * real, (found, real)
    assert tokens.estimate(text.encode()) == found


@pytest.mark.parametrize(
    "text",
    [
        "Meine Katze heißt Pixel und ist sieben Jahre alt. Donnerstags arbeite ich zu Hause.",
        "Мою кошку зовут Пиксель, ей семь лет. По четвергам я работаю из дома.",
        "私の猫の名前はピクセルで、七歳です。コーヒーにはいつもオーツミルクを入れます。",
        "Great 😀👍🏽 see you 🎉🎉 tomorrow 🚀",
        "1234567890 " * 20,
    ],
)
def test_other_texts_are_not_told_low(text):
    assert tokens.estimate(text) >= len(VOCABULARY.encode_ordinary(text))


def test_nothing_takes_nothing():
    assert tokens.estimate("") == tokens.estimate(b" \r ") == 0
    assert tokens.estimate("a") == 2 and tokens.estimate(memoryview(b"0")) == 3


def test_a_message_takes_more_than_its_text():
    # the server puts the role and two marks around it
    assert tokens.message(b'"hello"') >= tokens.estimate(b'"hello"') + 4
