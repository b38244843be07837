"""The topics of memories, their tags and the words by which the offline model knows them."""

# tag, Chinese tag, English beginnings of words (with a dot: whole words, an s may follow), Chinese
TOPICS = (
    "name,姓名,my.name. call.me. i.am.called i'm.called nickname,我叫 名字 叫我 我姓 称呼 姓名",
    "pet,宠物,cat. dog. puppy kitten hamster rabbit parrot pony. horse. tortoise budgie"
    " goldfish pet.,猫 狗 宠物 兔 仓鼠 鹦鹉 金鱼 乌龟",
    "birthday,生日,birthday born. years.old. how.old.,生日 出生 岁 多大",
    "health,健康,allerg asthma diabet medic pill. blood doctor dentist migraine intoleran"
    " coeliac celiac pregnan,过敏 病 药 糖尿 血压 医生 牙医 怀孕",
    "family,家人,wife husband partner mum. mom. dad. mother father sister brother son. daughter"
    " kid. child gran aunt uncle cousin parent girlfriend boyfriend fianc married,妻 老婆 丈夫"
    " 老公 妈 爸 父 母 姐 哥 弟 妹 儿子 女儿 孩子 爷爷 奶奶 结婚 女朋友 男朋友",
    "access,密码,password passcode wifi wi-fi pin. key. code.,密码 钥匙",
    "plan,计划,tomorrow tonight next. appointment meeting deadline flight trip. bin. going.to"
    " plan holiday interview,明天 后天 下周 下个月 会议 开会 出差 航班 打算 面试",
    "food,饮食,eat. eating drink coffee tea. milk vegetarian vegan food lunch dinner breakfast"
    " cook pizza curry spic sugar meat fish. cheese chocolate beer wine olive. restaurant,吃 喝"
    " 茶 咖啡 饭 素食 菜 辣 糖 奶 肉 酒 面条 火锅 水果",
    "work,工作,work job. boss office company employ engineer developer programmer teacher"
    " nurse. student stud university school college colleague retired,工作 上班 公司 老板 同事"
    " 职业 老师 学生 大学 学校 工程师 程序员",
    "home,住址,live. living lived move moving house flat. apartment address home. postcode"
    " neighbour i'm.from am.from,住 我家 搬 地址 老家 来自",
    "preference,喜好,like. love hate prefer favourite favorite enjoy dislike can't.stand always"
    " never fan.,喜欢 爱 讨厌 习惯 兴趣 总是 从不",
)
