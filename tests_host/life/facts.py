"""The facts of the life: who, what, and a value that no other wording ever has."""

_PEOPLE = (
    "Marta Jonas Edith Bruno Selma Oskar Petra Hugo Lena Viktor Nora Anton Greta Emil".split()
)
_THINGS = {
    "boat": "The boat of %s is called %s",
    "doctor": "The doctor of %s is %s",
    "school": "The school that %s goes to is the %s",
    "bicycle": "The bicycle of %s is a %s",
    "garden": "In the garden of %s grows a %s",
    "street": "%s lives in the street %s",
    "job": "%s works at the company %s",
    "tea": "The tea that %s likes best is %s",
    "locker": "The locker of %s opens with the code %s",
    "train": "The train that %s takes to work is the %s",
}
_RELATIVES = "奶奶 爷爷 舅舅 姑妈 表哥 邻居 房东 同桌 班长 会计".split()
_MATTERS = {
    "宠物": "%s养的狗名字叫%s",
    "医生": "%s的家庭医生是%s",
    "学校": "%s上的学校叫做%s",
    "车": "%s开的车牌子是%s",
    "住处": "%s住在%s小区",
    "茶": "%s最爱喝的茶是%s",
    "公司": "%s上班的公司是%s",
    "餐馆": "%s常去的餐馆是%s",
}
_ONSETS = "b br d f fl g gr h k kr l m n p pl r s sk t tr v z".split()
_VOWELS = "a e i o u".split()
_HAN = "云岚青竹梅溪雁霜枫桐兰泽沐辰瑶琪翊轩晗昱骁铭钰珞砚箫笙缨翎鹭鸢鲤麒麟苇荻蓝茗蕴薇藜"


class Fact:
    """One wording of one matter. token: a part of text that no other wording has.

    asked: what a search for the matter says. said: what the user types who states it.
    """

    def __init__(self, id, subject, label, text, token, asked):
        self.id = id
        self.subject = subject
        self.label = label
        self.text = text
        self.token = token
        self.asked = asked


class Facts:
    """Makes facts and corrected versions of them; rng decides, so a seed repeats a life."""

    def __init__(self, rng):
        self.rng = rng
        self.number = 0
        self._tokens = set()
        self._free = [(who, what) for who in _PEOPLE for what in _THINGS]
        self._free += [(who, what) for who in _RELATIVES for what in _MATTERS]
        rng.shuffle(self._free)

    def new(self):
        """A fact about something that nothing is known of."""
        return self._make(self._free.pop())

    def corrected(self, fact):
        """Another value of the same matter."""
        return self._make(fact.subject)

    def released(self, fact):
        """Nothing is known of the matter of fact any more; it may come up again later."""
        self._free.insert(self.rng.randrange(len(self._free) // 2 + 1), fact.subject)

    def taken(self, fact):
        """What fact says is so again."""
        if fact.subject in self._free:
            self._free.remove(fact.subject)

    def _make(self, subject):
        who, what = subject
        self.number += 1
        token = self._token(what)
        chinese = what in _MATTERS
        pattern = _MATTERS[what] if chinese else _THINGS[what]
        text = pattern % (who, token)
        asked = text.replace(token, "")
        return Fact("f%d" % self.number, subject, what, text, token, asked)

    def _token(self, what):
        rng = self.rng
        while True:
            if what in _MATTERS:
                token = "".join(rng.sample(_HAN, 4))
            elif what in ("locker", "train"):
                token = "%s%05d" % (rng.choice("ABCDEFGHKLMNPRSTUVWXZ"), rng.randrange(100000))
            else:
                parts = [rng.choice(_ONSETS) + rng.choice(_VOWELS) for _ in range(4)]
                token = ("".join(parts) + rng.choice("nrslt")).capitalize()
            if not any(token.lower() in t or t in token.lower() for t in self._tokens):
                self._tokens.add(token.lower())
                return token
