"""What the offline model knows of language: the kind of a sentence, its topic, its words.

The tables are plain strings that are searched as they are: sets of the same words would take
ten times the RAM. In a table of phrases (divided by |) a phrase that ends with $ must be the
whole rest. English is judged word by word, Chinese by what a clause starts and ends with.
"""

# Kinds of sentences, as classify() returns them.
FACT = "fact"
FIX = "fix"  # a fact that corrects an earlier one
ASK = "ask"
ALL = "all"  # asks for everything that is known
LOSE = "lose"  # forget something
WIPE = "wipe"  # forget everything
SESSION = "session"
TIME = "time"
THANKS = "thanks"
TALK = "talk"
NONE = ""  # none of these

_EDGE = " \t\r\n\"'`.,!?;:()[]{}<>*~-_。，！？；：、（）“”‘’…～"
_RESPELL = (
    " im:i'm ive:i've dont:don't doesnt:doesn't didnt:didn't cant:can't wont:won't isnt:isn't"
    " cannot:can't whats:what's wheres:where's whens:when's hows:how's whos:who's thats:that's its:it's lets:let's"
    " youre:you're u:you ur:your r:are wat:what wot:what wut:what waht:what wich:which wher:where"
    " whre:where hwo:how wen:when plese:please plz:please pls:please froget:forget gonna:going wanna:want"
    " gotta:got rember:remember remeber:remember remmember:remember rember:remember naem:name "
)
_SHORT = " 'm:am 're:are 've:have 'd:would 'll:will "
_LEADS = (
    "well|ok|okay|oh|ah|um|uh|hmm|hey|hi|hello|hiya|yes|yeah|yep|also|and|but|then|please|btw|so|fyi|"
    "right|great|cool|claw|anyway|look|listen|honestly|thanks|thank you|cheers|ps|by the way|"
    "just so you know|you should know|for the record|let me tell you|i want to tell you|"
    "i wanted to say|to be honest|guess what|good morning|good afternoon|good evening|"
    "nice to meet you|one more thing|first of all"
)
_FIXES = (
    "actually|no|nope|sorry|correction|wait|oops|wrong|that's wrong|that is wrong|not quite|"
    "that's not right|that's not true|my mistake|i was wrong|i made a mistake|i meant|i mean"
)
_POLITE = (
    "can you|could you|would you|will you|can't you|i want you to|i'd like you to|i need you to|"
    "you must|you should|you have to|you need to|make sure to|make sure you|make sure|try to|do|"
    "kindly|please|also|let's|i want to|i'd like to|you can|you may|just"
)
_KEEP = (
    "remember|keep in mind|bear in mind|make a note|take a note|take note|don't forget|"
    "do not forget|never forget|note to self|write down|jot down|put down|note|memorise|memorize|"
    "remind me to|remind me that|save|store|record|write|log|for future reference|learn"
)
_WEAK = " save store record write log learn "  # these need "that", "this", "down" or a colon
_LINK = " that this down of for me the following fact to "
_LOSE = "forget|erase|delete|remove|unlearn|stop remembering|wipe|clear"
_LOSELINK = (
    " that about the fact memory memories of what you know everything i said told note from "
)
_WH = " what who whose whom where when why how which what's who's where's when's how's which's "
_IF = " if whether my "
_AUX = " am is are was were do does did can could would should shall will may might must has have had "
_WHO = " i you we they he she it "
_KNOW = (
    " know remember recall sure forgot forget wonder wondering me see idea guess curious ask not "
)
_ABOUTME = (
    "know about me|remember about me|i told you$|i tell you$|i have told you$|i told you so far|learned about me|learnt about me|who am i$|"
    "about myself|know me|remember me|you remember$|you know$|your memory|my memories|all memories|"
    "the memories|list memories|show memories|your memories|stored about me|memory about me"
)
_DUTY = (
    " tell show play turn set open write translate explain give send help let go stop wait come make find"
    " search say sing calculate describe pretend imagine suppose read draw summarise summarize keep put get"
    " recommend suggest try check ask repeat run print define convert guess answer speak teach order take"
    " start begin create add use list enjoy pick choose "
)
_CHAT = (
    " yo good nice lol haha hahaha wow bye goodbye see later morning night sure fine awesome perfect amazing"
    " brilliant lovely welcome worries problem idea congratulations happy merry same maybe perhaps exactly"
    " indeed really seriously interesting fair makes sounds thanks all whatever you your you're you've"
    " you'll yours everything nothing life weather things hmm cheers ha excuse pardon test testing me_ none"
    " long wonderful excellent sweet there_ ugh help "
)
_PHRASES = (
    "never mind|not really|not bad|not much|not yet|not now|not sure|do not worry|do not mention|"
    "do not be|do not know|do not think|do not care|how are|how is it|how do you do|how nice|what a|"
    "what is up|have a|take care|well done|me too|me neither|me neither|so do i|neither do i|"
    "of course|oh my|for telling|for your|for the help|for helping|for that|love it|like it|the weather|"
    "it is raining|had a|who cares|if only|had fun|the same|can not wait|too bad|should i|today was|"
    "my bad|my god|my goodness|my pleasure|my apologies|my question|my point|my guess|my problem is|"
    "my day|my mood|my turn|my fault|that is all|that is what i|that is my point|this is what i|"
    "just kidding|only joking|got it|got go|got to go|got run|speak soon"
)
# after "I", with the adverbs left out
_SAID = (
    "agree|disagree|guess$|suppose$|bet|doubt|promise|appreciate|thank|apologise|apologize|said|told|"
    "asked|wish|wonder|beg|swear|love this|love it$|love that$|like this|like it$|like that$|hate this|"
    "hate it$|hate that$|mean it|get it|got it|got to go|have to go$|have to go now|must go|need to go$|"
    "should go|have to run|have to leave|will be back|will try|will see|will do|will think|will ask|"
    "will let|will wait|could eat|could use|could not|can not wait|can not believe|can not see|"
    "can not hear|can not think|can not remember|can see|can hear|give up|forgot$|do$|did$|am$|have$|"
    "will$|can$|do not$|see$|see what|must say|must admit|changed my mind|made a mistake|had a nice|"
    "had a good|had a great|had a bad|had a long|had a lovely|had fun|hope so|hope not|think so|think not|"
    "hope it|hope this|thought so|believe so|know$|know that$|know it|know right|know what|understand$|"
    "do not know|do not think so|do not care|do not mind|do not understand|do not get|do not see|"
    "do not remember|do not feel like|did not mean|did not know|did not say|did not understand|"
    "was thinking|was wondering|was asking|have nothing|want something|need something|want nothing"
)
_WANT = " want need would have got had am "
_ASKTO = (
    " ask know talk chat say test try see hear tell speak sleep thank think play find understand "
)
_NOUNS = (
    " help hand question questions request problem idea issue answer joke something moment minute advice"
    " chat favour favor clue "
)
_SMALL = (
    " a an another some one more quick small little few no to your new please like got the any "
)
_STATE = (
    " fine good ok okay great well alright bored tired sleepy hungry thirsty sad happy back home busy lost"
    " excited angry mad annoyed cold hot sick ill unsure serious stuck late awake exhausted stressed upset"
    " lonely grumpy worried nervous better free alone scared asking testing thinking looking trying talking"
    " saying leaving listening waiting joking kidding sorry glad sure curious confused done finished"
    " impressed ready here off out down starving wondering "
)
_BARE = (
    " asking testing thinking looking trying talking saying leaving listening waiting joking kidding sorry"
    " glad curious confused done impressed here wondering "
)
_TAIL = (
    " today now right again then thanks you at the moment too and about that it this of to tonight though so"
    " for up with myself me lately because currently usual all bit morning evening ok bed sleep out as be"
    " hear in hurry trouble way on my feeling going not very a "
)
_ADVERBS = (
    " really just also still actually very quite pretty currently honestly already too both "
)
_HEDGE = " think guess believe suppose hope reckon heard know feel figured mean "
_VERBS = (
    " is are was were am has have had does did can will must should goes likes lives loves hates works needs"
    " opens closes starts ends costs belongs keeps takes live love like hate work isn't aren't doesn't can't"
    " won't don't wasn't died went got "
)
_DROPPED = (
    " got have live moved born allergic love like hate prefer need bought married studying living working"
    " vegetarian vegan never always don't can't been favourite favorite hooked retired originally "
)
_FIRST = " i my we our me mine us myself i'm i've i'd i'll we're we've we'll "
_SINCE = " when if because since although though after before while as unless until whenever where whose "
_STOP = (
    " a an the i me my mine we our us you your it is are am was were be been do does did not have has had can"
    " could will would should what who where when which how why of in on at to for from with about and or but"
    " that this there call called name named know remember tell please any some if so as by he she they his"
    " her their go goes get out no yes than then into up im forget all now want say let like whose's kind s"
    " m t re ve don doesn actually really also much many "
)
_SESSIONS = " session sessions conversation conversations chat chats "

# tag, Chinese tag, English beginnings of words (with a dot: whole words, an s may follow), Chinese
_TOPICS = (
    "name,姓名,my.name. call.me. i.am.called i'm.called nickname,我叫 名字 叫我 我姓 称呼 姓名",
    "pet,宠物,cat. dog. puppy kitten hamster rabbit parrot pony. horse. tortoise budgie goldfish pet.,"
    "猫 狗 宠物 兔 仓鼠 鹦鹉 金鱼 乌龟",
    "birthday,生日,birthday born. years.old how.old,生日 出生 岁 多大",
    "health,健康,allerg asthma diabet medic pill. blood doctor dentist migraine intoleran coeliac celiac"
    " pregnan,过敏 病 药 糖尿 血压 医生 牙医 怀孕",
    "family,家人,wife husband partner mum. mom. dad. mother father sister brother son. daughter kid."
    " child gran aunt uncle cousin parent girlfriend boyfriend fianc married,"
    "妻 老婆 丈夫 老公 妈 爸 父 母 姐 哥 弟 妹 儿子 女儿 孩子 爷爷 奶奶 结婚 女朋友 男朋友",
    "access,密码,password passcode wifi wi-fi pin. key. code.,密码 钥匙",
    "plan,计划,tomorrow tonight next. appointment meeting deadline flight trip. bin. going.to plan"
    " holiday interview,明天 后天 下周 下个月 会议 开会 出差 航班 打算 面试",
    "food,饮食,eat. eating drink coffee tea. milk vegetarian vegan food lunch dinner breakfast cook pizza"
    " curry spic sugar meat fish. cheese chocolate beer wine olive. restaurant,"
    "吃 喝 茶 咖啡 饭 素食 菜 辣 糖 奶 肉 酒 面条 火锅 水果",
    "work,工作,work job. boss office company employ engineer developer programmer teacher nurse. student stud university school"
    " college colleague retired,工作 上班 公司 老板 同事 职业 老师 学生 大学 学校 工程师 程序员",
    "home,住址,live. living lived move moving house flat. apartment address home. postcode neighbour"
    " i'm.from am.from,住 我家 搬 地址 老家 来自",
    "preference,喜好,like. love hate prefer favourite favorite enjoy dislike can't.stand always never fan.,"
    "喜欢 爱 讨厌 习惯 兴趣 总是 从不",
)

# Chinese; parts are divided by a blank
ZH_LEADS = (
    "嗯 哦 噢 啊 唉 哎 喂 嗨 嘿 哈喽 你好 您好 大家好 早上好 下午好 晚上好 早安 早 好的 好吧 好 是的 对了 对 那个 那么 那"
    " 顺便说一下 顺便说 顺便 另外 还有 而且 然后 所以 但是 不过 说实话 老实说 告诉你 跟你说 我告诉你 我跟你说 你要知道"
    " 请注意 谢谢你 谢谢 多谢 麻烦你 麻烦 请你 请"
)
ZH_FIXES = "不对 不是的 不是 错了 你错了 我说错了 说错了 更正一下 更正 纠正一下 纠正 其实 抱歉 对不起 不好意思 等等 不"
ZH_POLITE = "请你 请 麻烦你 麻烦 帮我 帮忙 能不能 可不可以 可以 能否 能 你能 你可以 你要 你 要 一定要 一定 务必 给我 我想让你 我要你 我想 我要 还 也 再 都"
ZH_KEEP = (
    "记住 记下来 记下 记一下 记得 记着 记录一下 记录 记好 牢记 别忘了 别忘记 不要忘记 不要忘了 提醒我 备忘录 备忘 备注"
    " 存一下 保存 存下来"
)
ZH_LOSE = "忘记 忘掉 忘了 删除 删掉 清除 清空 抹掉 不要再记 别再记 不用记"
ZH_LOSELINK = "关于 掉 了 那条 这条 我说的 我说过 我告诉你的 有关 ： : ， ,"
ZH_LOSEEND = "的事情 的事 的记忆 的信息 这件事 这条记忆 的记录 吧 了"
ZH_WH = (
    "什么 谁 哪 几 怎么 怎样 怎么样 多少 多大 多久 多高 多远 多长 为何 是否 有没有 如何 啥 咋 何时 几点 为啥"
    " 我想知道 告诉我 我忘了 不记得 不知道 不确定 我在想 好奇 请问 想问 知不知道 猜猜"
)
ZH_NOTWH = "几乎 好几 十几 没几 几年前 几天前 几个月前 前几 什么都 什么也 没什么 谁都 谁也 哪都 哪儿都 哪里都 哪也 怎么都 不怎么 没怎么 没多少 不知道怎么游"
ZH_ABOUTME = (
    "知道我什么 知道我的什么 知道我哪些 知道关于我 关于我的 关于我 了解我 记得我什么 我的记忆 告诉过你 我是谁 所有记忆 记住了什么 记得什么 记住了哪些"
    " 记得哪些 列出记忆 显示记忆 查看记忆 全部记忆 记忆列表 都知道些什么 认识我"
)
ZH_DUTY = (
    "讲 说个 说一 给我 帮我 告诉我 打开 关掉 关闭 关灯 开灯 翻译 写一 写个 唱 播放 查 搜 设置 设个 计算 算一 推荐 解释 画 来个 来一 陪我"
    " 教我 让我 等一 停 继续 再来 再说 试试 重复 总结 祝 恭喜 加油 别 不要 假装 假如 假设 想象 如果我是 要是我是 如果我有 要是我有 随便 快"
)
ZH_CHAT = (
    "你 您 谢 多谢 感谢 拜 哈 嘿 呵 晚安 晚上 早 好 行 可以 嗯 不客气 没事 没关系 没问题 对不起 抱歉 知道了 明白 懂了 收到 厉害 真 太 不错"
    " 辛苦 在吗 再见 回头见 今天 天气 现在 这 那 它 原来 当然 也许 可能 是的 是啊 是吗 对 没有 算了 随便 哇 哎 一般 还行 还好 同意 有意思"
    " 不 生活 时间 一切 无聊"
)
ZH_SAID = (
    "想问 要问 有个问题 有一个问题 有问题 有个事 有事问 想聊 想跟你 想和你 想请 想让你 要你 在想 想想 想一想 想说 爱你 喜欢你 想你 讨厌你 恨你 相信你"
    " 觉得你 认为你 需要你 需要帮 很高兴 开玩笑 逗你 试试 看看 先走 先去 走了 去睡 睡了 要睡 回来 来了 在呢 在这 知道了 知道 明白 懂了 懂 理解 同意"
    " 不知道 不懂 不明白 不确定 不太懂 也是 也这么 也觉得 觉得是 觉得对 觉得不错 觉得可以 觉得很好 没事 没问题 好了 猜 忘了 不记得 说过 说完 的天 的妈 的意思 随便 去忙 听不懂 信"
)
ZH_SOFT = "很好真有点太非常挺也还都就快已经现在今天比较一些感觉觉得特别超要"
ZH_STATE = " 累 饿 困 无聊 开心 难过 高兴 生气 忙 渴 冷 热 烦 郁闷 害怕 紧张 孤单 伤心 兴奋 好 行 可以 不错 没事 醒 病 伤 不好 不行 不开心 睡 走 在 来 疼 幸福 爽 晕 崩溃 迷路 输 赢 "
ZH_VERBS = "是 在 有 叫 爱 怕 住 喜欢 讨厌 过敏 不吃 不喝 会 属于 放 对 吃 喝 收 开 姓 养 为 等于 密码 来自 去 到"
ZH_END = "了啊呀呢哦啦的吧嘛哈噢~～。！!.，, "
ZH_STOP = "我你您的是了在吗呢啊吧么什谁哪几怎多少有叫个这那和跟对也都不很它他她们请把被就过"
ZH_HERE = "我俺咱"
ZH_MARKS = "我你您是了吗呢不叫谁什哪请谢好这那忘记的在有没"
ZH_NEWSESSION = "新会话 新的会话 新对话 新的对话 新聊天 新的聊天 新话题 重新开始对话"
ZH_LISTSESSION = "列出会话 会话列表 列出所有会话 有哪些会话 显示会话 查看会话 所有会话"
