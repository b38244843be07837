"""Sentences as people type them: facts to keep, questions, and small talk that is not kept."""

# at least one memory comes of each
FACTS = r"""my cat is called Pixel and I take oat milk in my coffee
I live in Yorkshire
remember that the bin goes out on Tuesday
我叫李雷
我对花生过敏
请记住明天下午三点开会
please call me Sam
my wifi password hint is the name of my first dog
I don't like olives
Pixel is afraid of thunder
the spare key is under the pot
I'm allergic to penicillin
i work as a nurse at St James hospital
My wife Anna and I live in Leeds
I've got two kids, Tom and Lucy
can you remember that my dentist appointment is on Friday?
don't forget that I take my tea without sugar
I'm vegetarian
I never eat meat
I usually wake up at 6
my birthday is on 3 May
I think I'm allergic to cats
I want to learn Spanish this year
we moved to Bristol last month
I'd like to visit Japan one day
actually my cat is called Nova
no, I moved to Leeds
i'm a software developer
My favourite colour is green
When I get home I drink tea
I can't swim
hi, my name is Sam
I'm Sam
Anna teaches maths
remember my name is Joe
note: the boiler code is 4411
we have a dog named Rex
I drive a blue Volvo
im from brazil
ive lived here for ten years
my sister lives in Hull
I prefer tea over coffee
我住在上海
我的猫叫小黑
我喜欢吃辣
我不吃香菜
我在医院工作
我有两个孩子
叫我小李吧
我女儿今年五岁
不，我搬到上海了
备用钥匙在花盆下面
小黑怕打雷
我妈妈的生日是五月三日
别忘了星期二倒垃圾
帮我记一下，车牌号是沪A12345
你好，我叫韩梅梅，我喜欢打羽毛球
我每天早上跑步
我的dog叫Max
I live in 上海
其实我的猫叫小白
mum's birthday is the 4th of june
my flat mate snores
i go to the gym every tuesday and thursday
Our anniversary is on 12 September
i hate coriander
could you note down that my car needs an MOT in March
the wifi password is hunter2
Just so you know, I am left-handed
by the way, I've been vegan since 2019
I was born in Cardiff
You should know that I have asthma
my favourite film is Alien
I'm allergic to shellfish, peanuts and latex
grandma lives in a care home in York
I play the cello in an orchestra
I start my new job at Asda on Monday
tomorrow I have an interview at 10
we're getting married in august
i dont drink alcohol
My boss is called Margaret
I can't stand loud music
My phone number is 07700 900123
Please remember: no onions in my salad
make a note that the plumber comes at 9
keep in mind i'm colour blind
I speak french and a bit of german
I'd rather have tea than coffee in the morning
Tom is my eldest son
our house has a red door
I work from home on Fridays
it's my birthday on Sunday
This is my sister's recipe book
There's a first aid kit in the boot of the car
I quit smoking last year
I've never been to Scotland
when i was a kid i lived in Wales
Sorry, my flight is at 7 not 8
That's wrong. My dog is called Bella
i meant that i work at Tesco
Everyone calls me Bex
I hope to retire at 60
I used to be a teacher
Sundays I visit my nan
I need to take my pills at 8 every evening
remind me to call the vet tomorrow
im a vegeterian and my partner is too
Rex sleeps in the kitchen
my daughter Emma loves dinosaurs
the bins are collected on Wednesdays
I've got a meeting with Dr Patel next Thursday
both my parents are doctors
Don't call me Samuel
Never put milk in my tea
allergic to bees
live in leeds, work in york
got a new puppy called Biscuit
I weigh 80 kilos
my shoe size is 43
I believe in God
I know Spanish
I know how to ride a horse
I feel uncomfortable in crowds
I'm good at chess
I'm afraid of spiders
I'm learning to knit
I'm 34 years old
I am married to Claire
I'm going to Spain in June
I forgot to tell you that I moved house
i lvie in sheffield
my naem is Dave
plese remeber that my pin hint is grandad's year
我是一名程序员
我老婆叫小芳
我们家有三口人
本人不吃猪肉
我今年三十岁
我最喜欢的颜色是蓝色
我的电话是13800138000
我明天要去北京出差
记住：我周五不上班
请帮我记住我的车停在B2
别忘记我对青霉素过敏
我女朋友不喜欢吃辣
王老师是我的英语老师
我以前住在广州，现在住在深圳。
我几乎不喝酒
我什么都吃
我没有兄弟姐妹
我妈妈在银行工作，我爸爸退休了
我属兔
我家的wifi密码是12345678
我ｌｉｖｅ在Ｌｏｎｄｏｎ
以后叫我老王
我错了，其实我住在南京
不对，我的生日是六月一号
周末我喜欢爬山
我不会游泳
我养了一只狗，叫旺财
我正在学西班牙语
会议改到周四下午
奶奶有高血压
我习惯晚上十一点睡觉
我讨厌下雨天
记得明天带伞
我儿子上小学三年级
我想买一辆自行车
我不喜欢你们发太长的消息
提醒我明天给妈妈打电话
能帮我记住我周三要看牙医吗
my brother-in-law runs a bakery in Whitby
Biscuit the hamster only eats sunflower seeds
I cycle to work most days
She's my best friend, we met at uni
My mum and dad live in Spain now
we usually have fish and chips on fridays
i go by Mike
you can call me Mo
The boiler was serviced in October
the garage door code is 9182
Uncle Bob's number is 01723 555 010
The cleaner comes every other Thursday
hubby works nights
My partner is coeliac
I had my appendix out in 2015
I broke my arm last summer
I take my coffee black
I'm not a morning person
I am not allergic to anything
I've got a bad knee
I no longer work at Tesco
I don't have any children
I can speak three languages
I lost my job in May
Neither of my sons eats vegetables
most of my family is from Ireland
for breakfast I normally eat porridge
As a child I was scared of clowns
since 2010 I have been running marathons
After work I go swimming
On Mondays my daughter has ballet
In winter we heat with wood
It snows a lot where I live
That's my bike in the hall
here is my address: 12 High Street, Otley
my postcode is LS21 1AB
I reckon my landlord is called Mr Khan
I guess my favourite band is Radiohead
just so you know i'm deaf in one ear
fyi my manager changed, it's now Priya
One thing: I never fly
I'd like you to remember that I park on level 3
Would you please remember that Mum's operation is on the 9th
Note that the parcel is at number 14
save this: locker 27
write down that I owe Pete 20 quid
please keep in mind that I'm diabetic
Remember I hate mushrooms
remember to water the plants
for future reference, my size is medium
put down that the rent is due on the 1st
wait, my train leaves at six
Correction: my sister is 30
oops I meant my dentist is Dr Lee
no my name is spelled Jon
Actually, I don't eat fish anymore
My password hint is first car
I own three guitars
My hobby is birdwatching
Chess is my favourite game
Blue is the colour I like best
favourite food is lasagne
moved house in June
working at the hospital now
have a cat and two rabbits
Our wedding was in 2012
Ive a twin brother
My car is a red Fiesta
My jumper size is L
I need new glasses every two years
i am retired
I'm a mum of three
I'm single
I'm Jewish
I'm studying law at Leeds uni
I'm saving up for a house
I'm off work on Wednesdays
I'm back at work from Monday after my leave
I want to lose 5 kilos by Christmas
I plan to paint the kitchen next week
I will be in Paris from 3 to 7 July
I'll be 40 in March
I have to take insulin
we're expecting a baby in May
Luna is our new kitten
Max doesn't like the vacuum cleaner
Sarah prefers decaf
Dr. Patel is my GP
I love you all but my favourite aunt is Jo
If I eat nuts I get hives
hello, I'm Priya and I'm a vet
Good morning! My flight got moved to Friday.
thanks! btw my sister had a baby girl
ok so my new email is sam@example.org
我叫王伟，是一名医生
我姓陈
我爱人在学校教书
我从小在北京长大
我每周三晚上打篮球
我早上一般喝豆浆
我对海鲜过敏，所以不能吃虾
我家养了两只猫
我的生日是1990年5月1日
我的座右铭是活到老学到老
我住在三楼
我上个月搬家了
我刚换了工作
我妹妹下个月结婚
我爸爸喜欢钓鱼
我左撇子
我有高血压
我是素食主义者
我是山东人
我不喝牛奶
我从不抽烟
我怕狗
我想学吉他
我打算明年去日本
我周六要加班
咱家的车位是B12
俺是东北人
我和妻子住在杭州
大家都叫我小胖
你可以叫我阿明
请叫我老师
请你记住我不吃辣
麻烦记一下，快递在门卫那里
记得我周五有考试
帮我记住，妈妈的手机号是13900001111
提醒我买牛奶
记下：房租每月五号交
备注：门禁码是2580
顺便说一下，我换手机号了
对了，我女儿叫朵朵
另外，我喜欢喝绿茶
其实我更喜欢喝咖啡
不是，我住在苏州
更正：会议是下午四点
我说错了，我的猫五岁
旺财喜欢吃骨头
李医生是我的牙医
书房的钥匙在抽屉里
明天是我们的结婚纪念日
今天是我生日
外婆住在成都
公司的地址是人民路8号
我用的手机是iPhone
我在Google上班
我喜欢Taylor Swift的歌
我叫Tom
我的邮箱是a@b.com
我没有孩子
我没去过北京
我一般十二点吃午饭
我戴眼镜
我开一辆白色的丰田
hi im sam i live in leeds and i love curry
so basically i moved to york in march
my sons called Oliver
my cats name is pixel
i am alergic to penicilin
i wrk at the libary
we r vegetarians
dont like spicy food
love hiking
i drink loads of tea
i got a dog yesterday
had a baby last month, her name is Ivy
my nans 90th is on saturday
Remember, I'm left-handed.
Remember that: my blood type is O negative
Could you remember my blood type is O negative
my blood type is O negative, please remember it
pls note my new address is 4 Mill Lane
Btw I hate phone calls
One of my brothers is a pilot
Everyone in my family has brown eyes
Mum is 70 next week
Grandad was a miner
Tuesday is my day off
Pizza is my guilty pleasure
Nobody in our house drinks milk
I was a nurse for 20 years
I go to bed at ten
I've decided to become a vegan
I passed my driving test
I prefer being called Liz
I sleep badly when it's hot
I hate it when people are late
I like it when the house is quiet
I always forget names
I can only eat soft food
I could not eat gluten as a child
I wear size 9 shoes
I wish to be called Dr Jones
I need glasses to read
I want my coffee black
I have no siblings
I have trouble sleeping
I have a cold allergy
I'm on a low carb diet
I'm from Manchester originally
I'm in London until Friday
I'm not married
I'm a huge fan of jazz
I'm called Jenny
I'm ok with cats but not dogs
I'm free on Thursdays
I'm sick of rain
I'm happy with my job
I'm busy every Monday
I'm Tom's dad
I'm late on Tuesdays because of football
The dog's vet is in Ilkley
Pixel's birthday is 1 April
Anna's allergic to nuts
Tom's at university in Hull
our anniversary's in June
it's Anna's birthday tomorrow
there are two spare keys in the drawer
this is my new number: 07700 900456
the alarm code is 1234
the meeting with Bob moved to 3pm
the landlord's name is Harris
The doctor says I should walk more
我朋友李明 likes hiking
我是vegetarian
我的favourite颜色是green
My Chinese name is 王小明
my wife 小丽 works at 医院
我家在Leeds
我下周要去London出差
我每天喝两杯coffee
我叫小王今年二十五岁住在武汉
我叫小红 我喜欢画画
我的血型是O型。
我血型O型
我身高一米八
我结婚五年了
我老公对猫过敏
我同事小张下周生日
我们公司在望京
我最近在减肥
我睡眠不好
我晚上睡不着
我喜欢安静
我习惯早起
我比较喜欢甜的
我特别怕冷
我很喜欢看书
我非常讨厌蟑螂
我也喜欢狗
我还有一个弟弟
我现在住在成都
我今天开始吃素
我已经退休了
我信佛
我在减肥
我在北京
我来自四川
我去年去了日本
我走路上班
我爱吃西瓜
我爱人叫小梅
我想要一台新电脑
我要在周五交报告
我觉得我对牛奶过敏
狗叫旺财
女儿的学校在海淀
老板姓刘
车牌号沪A88888
下周三我要看牙医
周五晚上七点和小张吃饭，请记住
请不要忘记我不吃牛肉
这是我妹妹的电话：13911112222
那是我的自行车
你要记住我叫张三
说实话我不喜欢加班
不对不对，我是医生
抱歉，我的生日是六月
My dad's retired but my mum still teaches
I'm in a choir
I'm on antibiotics until Sunday
I have hay fever
I only shop at Lidl
I share a flat with two students
I keep bees
I collect stamps
I commute by train
I rent, I don't own
I run a small bakery in Otley
I graduated from Durham in 1999
I met my wife in Prague
I lost my dad two years ago
I dislike horror films
I'd never eat snails
I've just bought a camper van
I've been to Peru twice
I'm terrified of heights
I'm 5 foot 10
I'm the youngest of four
I'm dyslexic so please keep it short
I'm fluent in Welsh
I'm lactose intolerant
I'm training for a half marathon
I'm an early bird
I'm named after my grandmother
we've got a caravan in Filey
We're a family of five
We bought a house in Bingley
our cat, Tigger, is 14
My surname is spelt O'Brien
My middle name's Jane
My pronouns are they/them
My desk is on the second floor
My plants need watering on Sundays
My train is the 7:42
My star sign is Leo
My gran's recipe uses suet
my mate Dave plays darts
my gp surgery is closed on wednesdays
my other half is called Lou
my kids go to St Mary's
my son hates maths
My favorite team is Leeds United
Pixel had her jabs in March
Pixel weighs 4 kilos
Lucy starts school in September
Grandma can't eat salt
The gas meter is under the stairs
The kids get picked up at 3:15
The recycling goes out every second Friday
The Wi-Fi is called BT-Hub-77
Parking permit runs out in June
Book club is on the last Thursday of the month
Dinner with the Smiths on Saturday at 8
Dentist Tuesday 10am
Remember: dentist at 9:30 on Monday
remember the plumber's number is 555 0199
Remember I parked in row F
Could you please make a note that the heating engineer is coming on Thursday?
Don't forget Mum's birthday is on the 5th
Never call me before 9
Always answer me in German
From now on use metric units
actually i'm 41
Sorry, I meant my sister's name is Ann
No, it's my brother who lives in Hull
not Pixel, my cat is called Nova
我姐姐在国外读书
我老家在湖南
我爷爷八十岁了
我的专业是计算机
我毕业于清华大学
我喜欢听古典音乐
我最近在学做饭
我对花粉过敏，春天要戴口罩
我晚饭一般吃得很少
我的手机号码换成13712345678了
我有两只猫和一条狗
我的车是黑色的
我丈夫是厨师
我儿子叫乐乐，今年上一年级
我老板很严格
我从周一到周五上班
我周日休息
我喝咖啡不加糖
我吃饭不放葱
我左耳听不见
我色盲
我单身
我离婚了
我怀孕了
我辞职了
我们家养了一只鹦鹉
我和老婆是大学同学
我比较怕辣
我一直想去西藏
我准备考驾照
我小时候住在乡下
我妈不让我养狗
我每个月五号交房租
牙医预约在周二上午
密码提示是我的小学
备用钥匙放在邻居家
妹妹的婚礼在十月
小白今年三岁
爸爸不能吃糖
周五要交报告
请记一下：电费是每月十号
你记一下，我的航班是MU5101
麻烦帮我记住我的尺码是42
可以帮我记下我的车牌吗，是京A12345
别忘了我下午三点有会
叫我阿强就行
大家叫我老张
不对，我是37岁
哦不，我女儿叫朵朵
应该是周三开会
我改名叫王芳了"""

# nothing is stored
QUESTIONS = r"""what do you know about me?
what is my cat called?
我叫什么名字？
do you know where I live?
I wonder what time it is
can you remember my name?
am I allergic to nuts?
你知道我住在哪里吗
我应该吃什么
what should I eat
where do i live
how old am I
whats my name
do you remember my birthday
tell me what my cat is called
I'd like to know what the weather is like
did I tell you about my dog
is my cat called Pixel?
who is Anna
what did I say about coffee?
remind me what my wife's name is
when is my birthday
could you tell me a joke?
should I take an umbrella
have I told you where I work
i forgot my wife's birthday, when is it?
I don't know what to cook tonight
我的猫叫什么
我对什么过敏
你还记得我叫什么吗
我是不是对花生过敏
我住哪儿
你是谁
现在几点了
我有几个孩子
我能吃花生吗
你能记住我的名字吗
告诉我我住在哪里
我想知道明天天气怎么样
what's my sister's name again
do i have any pets
any idea where i left the spare key
whats the wifi password
Which foods can't I eat?
how many kids have i got
you know my name?
My cat is called what?
I live where?
could you remind me when bin day is
are you able to remember things
can you recall what I told you about my job
does anna like tulips
Where was I born?
whens my birthday
who's my boss
So what do I like to drink?
hey, what is my dog called
ok and where do I work
wat is my name
whre do i live
What do you remember about my family?
Is there anything I should not eat?
would I enjoy a curry?
why is the sky blue
how do I get to the station
I was wondering if you know my name
I can't remember where I put the key
I'm not sure what my pin is
I need to know when my flight is
Do I take sugar in my tea
will it rain tomorrow
have you stored my address
did you remember that I'm allergic to nuts?
guess what my name is
Tell me about my cat
what about my dog
what did I have for breakfast
My name is Sam, right?
what am I allergic to
is it true that I live in Leeds
Has Anna got a cat?
list everything you know about me
show me what you remember
我老婆叫什么名字
我喜欢什么颜色
你记得我的生日吗
我家狗叫啥
我住在哪个城市
我的电话号码是多少
谁是我的英语老师
我有没有过敏
你都知道我些什么
我明天要做什么
我是谁
你会做什么
我今年多大了
我的猫呢
能不能告诉我我的车停在哪
会不会下雨
我喜不喜欢吃辣
什么时候开会
为什么天是蓝的
你能帮我查一下天气吗
请问我的密码是什么
我忘了我的密码是什么
我该怎么办
remember my name?
do you still remember my cat
do you know what I like
what's in my coffee
What colour do I like
where's the spare key
when's bin day
when do the bins go out
who do I work for
who's my dentist?
what is the garage code
what's Uncle Bob's number
How do I take my coffee
how many kids do I have?
which languages can i speak
whose birthday is in May
can i eat nuts
Could I eat that?
am i married
are my parents in spain
Is Mum's operation on the 9th
was I born in Leeds?
did I say where I parked
have I got any allergies
have you got any notes about me
had I told you my name
will you remember this?
would you say I'm old
should I call mum
does my brother run a bakery
do cats like milk
tell me about yourself
tell me my name
tell me everything you know about me
say my name
what have I told you so far
what did you remember
so where do i live then
please tell me where I live
Please, what is my name
hello what is my name
i'm wondering where i live
I'd love to know what you think of me
I keep forgetting what my PIN is
I don't remember what my sister's called
not sure where my keys are, any idea
you remember where I live, right?
My favourite colour is?
and my sister?
what, me?
really?
isn't my cat called Pixel
don't I live in Leeds
aren't I allergic to nuts
can't you remember my name
explain how LittleFS works
how come
Why do you ask
what time do I wake up
what's the capital of France
我是做什么工作的
我喜欢喝什么
我妹妹什么时候结婚
你知道我的名字吗
你还记得我的猫吗
我有几只猫
我的生日是几号
我的生日是哪天
我的生日是什么时候
钥匙在哪
门禁码是多少
我老家在哪儿
我能不能吃虾
我可以喝牛奶吗
我该不该去
我要不要带伞
我结婚了吗
我有没有孩子
我怎么去车站
我为什么头疼
谁叫旺财
你了解我吗
请告诉我我的生日
你能告诉我时间吗
你记住我的名字了吗
你记得我说过什么
帮我想想我叫什么
哪个是我的车位
怎么办
这是什么
你叫什么名字
你几岁
今天星期几
明天会下雨吗
你觉得我怎么样
我是不是很笨
u know my name
do u know where i work
wheres my key
whats my cats name
how do i like my coffee
wot do i drink
remember what i said about nuts?
Do you have my address
Got any idea what my pin is
You wouldn't know my shoe size, would you
My address please
I asked what my name is
I said what is my name
Can you list my allergies
Can you tell me what I'm allergic to
which day is bin day
what does Pixel fear
what day do the bins go out
how is my cat called
how many
who am i
what's new
anything I should know about tomorrow?
Have we met
Was that saved?
is that right
ok, what else
what else do you know
我叫啥来着
我猫叫啥
我是哪里人
我姓什么
我血型是什么
我喜欢吃什么来着
我的cat叫什么
你知道我的cat叫什么吗
what's 我的名字
帮我查一下我的生日
我说过我住哪吗
还记得我喜欢什么吗
记得我叫什么吗
记不记得我的名字
你猜我几岁
我多高
我有多重
狗叫什么
钥匙放哪了
老板姓什么
下周三我有什么安排
我周五有事吗
几月几号是我生日
what's my surname
what are my pronouns
whats the wifi called
which team do i support
when's book club
What size am I
where's my desk
who lives in Hull
How tall am I
how much does Pixel weigh
how long have I lived here
how often do my plants need water
Do my kids go to St Mary's
Does Grandma eat salt
Did Pixel have her jabs
Can I have snails
Will Lucy start school soon
Was I ever in Peru
Are we a family of five
Is it bin day
is there anything on saturday
Are there any dinners planned
Any plans for Saturday
any news
Anything on Tuesday
You know when my train is
you remember my train time
I wonder if you know my star sign
Wonder what my star sign is
Wondering where I parked
I'm trying to remember where I parked
I was going to ask what my star sign is
I need you to tell me my desk number
I want you to tell me where I work
Let me know where I parked
Give me my pin hint
Show my address
Find my address
Look up my gp surgery
search for my address
recall my address
say where I live
My surname, what is it
my surname?
the wifi password?
Pixel's weight?
And where do I work
But where did I park
Also, how old is my cat
Please can you tell me where I live
would you happen to know my name
Do you think I'm old
do you like cats
can you swim
what are you
are you a robot
how do you work
我姐姐在哪里读书
我的专业是啥
我车是什么颜色的
我老公是做什么的
我手机号多少
我周日上班吗
我喝咖啡加糖吗
我儿子几年级
我航班号是多少
我是单身吗
我是不是离婚了
爸爸能吃糖吗
谁不能吃糖
小白几岁了
妹妹哪天结婚
周五我要做什么
备用钥匙呢
密码提示是什么来着
你知道小白多大吗
你觉得我应该去西藏吗
你记得多少
你会忘记吗
你是机器人吗
你喜欢猫吗
能帮我看看我的航班吗
能告诉我我住哪吗
我想问我住在哪里
我记不清我住在哪里了
说说我住在哪里
猜猜我叫什么
查一下我的地址
把我的地址告诉我"""

# nothing is stored
TALK = r"""hi
thanks
how are you
你好
谢谢
I think so
I see
I'm fine
I want to ask something
I have a question
I'm bored
I'm back
good morning
ok
thank you so much
that's great
you are funny
I love you
I'm tired today
never mind
lol
see you tomorrow
good night
no
yes please
I need help
I'm just testing
nice to meet you
it's raining
have a nice day
I have to go
I know
I understand
I don't know
I'm sorry
I hope so
早上好
再见
哈哈
我很好
我累了
我知道了
我有个问题
我想问你一件事
我回来了
好的
今天天气真好
你真聪明
没事
我不知道
我爱你
我好无聊啊
tell me a joke
turn on the light
讲个笑话
晚安
cheers mate
ta
brilliant, thanks!
gotta go, bye
hows it going
what's up
I'm so bored right now
I'm feeling a bit down today
feeling great today
I'm off to bed
i'm going to bed now
I don't understand
I don't think so
I can't hear you
I can't believe it
I said no
I guess so
I suppose you're right
I mean it
I agree with you
I like that
I love it
I'm sorry to hear that
I'm glad you asked
I'm not sure
I'm here
I'm ready
I'll be back later
I'll think about it
I have no idea
I want to play a game
I need your advice
let me think
let's talk
can we talk
that's all for now
that makes me happy
it's nice to talk to you
good job
well done you
you're welcome
you make me laugh
you are wrong
so cool
wow that is amazing
hahaha
oh my god
what a lovely day
yes I do
no I don't
not really
me too
same here
hello there claw
good evening to you
happy new year
sing me a song
write a poem about cats
translate hello into French
help
stop
set a timer for 5 minutes
if I were rich I would buy a boat
I wish I had a dog
pretend I'm a pirate
just kidding
everything is fine
life is hard
sounds good
makes sense
the weather is nice today
long day today
asdfgh
12345
?
...
😀
I could eat a horse
嗯嗯
谢谢你的帮助
辛苦了
我也是
我明白了
我饿了
我要睡觉了
我很开心
我有点累
我同意
我想想
我开玩笑的
我觉得你很好
我先走了
不客气
太好了
明天见
回头见
真的吗
给我讲个故事
帮我翻译一下
打开灯
今天好热
周末愉快
生日快乐
很高兴认识你
我没事
我在
我不确定
我想聊天
如果我有翅膀就好了
在吗
最近怎么样
你真笨
对
不是
算了
随便
再说一遍
hiya mate
morning!
evening all
howdy
hey you
hello again
yo what's good
cya
ttyl
bye bye
catch you later
speak later
I'm off then
I'm heading out
I'm leaving now
I'm hungry again
I'm so tired I could sleep
i feel sick
I feel better now, thanks
I'm doing well
I'm doing great thanks
I'm alright, you?
not too bad
could be better
can't complain
I beg your pardon
I hear you
I get it now
I got it
I don't get it
I see what you mean
I know right
I know what you mean
I was just wondering
I was joking
I'm only joking
I'm kidding
I'm lost
I'm confused
I am sorry about that
I apologise for that
I appreciate it
I owe you one
I trust you
I like you
I love this
I hate this
I hope you are well
I hope that helps
I want to chat
I want to talk to you about something
I need a minute
I need you to help me
I'd like some help please
I have one more question
I have a small request
I have to think about it
I've no idea
I've got to run
I'll see
I'll let you know
I'll do that
I'm going to sleep
my apologies
my bad
thanks for your help
thank you for remembering
ta very much
cheers for that
much appreciated
you're the best
you're a star
you rock
you got it wrong
you said that already
that's wrong
that is correct
that was quick
that sounds good
this is fun
this is boring
it's fine
it's ok
it doesn't matter
it's cold today
there you go
there is no need
no thank you
no problem at all
nope
yep
yes it is
yes that's right
right
exactly
absolutely
of course you do
ok then
okay great
cool cool
fair enough
good to know
good question
nice one
nice weather today
lovely day isn't it
what a day
whatever
hmm let me see
wait a minute
hang on
one moment please
go on
carry on
say that again
repeat that please
play some music
open the window
give me a recipe for scones
remind me later
surprise me
make me laugh
show me a picture
calculate 12 times 9
forget it
forget about it
lol ok
ha ha very funny
omg
wtf
???
:)
42
la la la
嗨
早
早啊
晚上好呀
你好呀小爪
嗯
好吧
行
可以的
没错
对的
是啊
不要
不用了
不用谢
谢谢啦
多谢你了
感谢
麻烦你了
抱歉
对不起
我错了
我很抱歉
我很难过
我好累啊
我有点困了
我快饿死了
我要走了
我去睡了
我去吃饭了
我在想
我考虑一下
我懂了
我听不懂
我不太明白
我不信
我喜欢你
我想你了
我只是开个玩笑
我就是随便问问
我有件事想问你
我想跟你聊聊
我需要你的帮助
我没问题了
你太厉害了
你说得对
你辛苦了
你别生气
这很有趣
那就这样吧
天气不错
今天好累
哈哈哈哈
呵呵
拜拜
明天再聊
下次再说
唱首歌吧
说个故事
给我推荐一本书
播放音乐
放首歌
打开空调
算一下12乘以9
帮我写一封信
祝你开心
新年快乐
加油
无语
啊啊啊
。。。
123
good stuff
brill
aw thanks
thx
ty
np
idk
brb
I'm back again
I'm home
I'm awake
I'm starving
I'm not feeling great
I'm having a bad day
I had a rough day
I'm feeling lonely
I am so happy
I'm really excited
I'm in a good mood
I'm just here to chat
I'm all ears
I'm listening
I'm with you
I'm sure you do
I'm sure
I think you are right
I think that's wrong
I think it's funny
I don't believe you
I don't want to talk about it
I didn't ask you that
I didn't say that
I wasn't talking to you
I can do that
I will
I do
I did
I have
I must go now
I better go
I'd better go
I should get going
I thought so
I thought you knew
I was just testing you
I like your style
I like your answer
I love your name
I hate you
we'll see
we are done
let's go
let's start
let me know
leave me alone
stop it
be quiet
shut up
don't worry about it
don't be silly
not at all
not you
no way
as you wish
if you say so
if you like
after you
same to you
you too
and you
you know what
as I said
you never listen
we need to talk
我到家了
我起床了
我下班了
我上班去了
我准备睡觉了
我等一下再来
我马上回来
我真的很开心
我今天很累
我心情不好
我有点难过
我好想哭
我没听懂
我没说话
我没有问题了
我说的不是这个
我就知道
我觉得还行
我觉得你说得对
我很高兴认识你
我可以问你一个问题吗
我想休息一下
我想静静
我们聊聊吧
我们走吧
我们开始吧
让我想想
你也是
你好棒
你不懂
彼此彼此
一言为定
慢慢来
没什么
没什么事
别担心
别闹
闭嘴
等等
稍等
好无聊
好累啊
真有趣
笑死我了
吓死我了
气死我了
I'm knackered
I'm chuffed
I'm gutted
I'm not happy
I'm not in the mood
I'm a bit busy right now
I'm running late
I'm on the bus
I'm at work
I'm on my lunch break
I'm eating
I'm about to leave
I'm nearly there
I'm good thanks
I'm good, how about you?
I'm OK
im ok
im good
im back
im tired
i am bored
i'm really bored today
I've had enough
I've had a long day
I've finished
I've just woken up
I just got home
I just woke up
I got up late
I need a break
I need to go now
I need some rest
I want to sleep
I want to go home
I feel great
I feel sad
I feel like crying
I can't sleep
I can't think straight
I can't do this
I don't feel well
I don't like you
I don't like this
I don't like your answer
I don't want to
I don't want that
I don't need help
I don't have time
I love chatting with you
I enjoyed that
I laughed at that
I missed that
I understand now
I understand what you mean
I see your point
I take your point
I stand corrected
I rest my case
I take it back
I'm speechless
I must be dreaming
I may be wrong
I could be wrong
I would say so
I should think so
I was wrong
I was right
I'll be right back
I'll talk to you later
I'll ask again tomorrow
I'll try again
I'll have a think
I'll pass
we did it
we'll talk later
we should talk
that's my girl
that's what I thought
that's what I said
that's not what I meant
that's not what I asked
this is me
it's me
it's me again
it's not my fault
it's up to you
it's a joke
it's time to go
it's late
it's Friday
it was a joke
there's nothing to say
here we go
here I am
you know I love you
your answer is wrong
your turn
you forgot
he he
thanks for remembering my name
thanks for listening to me
thank you my friend
good morning my friend
good night my friend
nice to see you again
lovely to hear that
glad to hear it
happy to hear that
pleased to meet you
no thanks I'm fine
yes I am
yes I know
no I'm not
no I didn't
ok I will
ok I understand
oh I see
ah I get it
well I never
bless you
please
pretty please
come on
try again
keep going
next
again
more
louder
really good
very funny
so funny
how funny
how sad
how rude
what a shame
what fun
as always
as usual
by the way
long story
big deal
enough
done
finished
ready
ready when you are
go ahead
fire away
我吃饱了
我在吃饭
我在上班
我在路上
我在地铁上
我在开会
我在看电视
我刚到家
我刚起床
我刚吃完饭
我快到了
我迟到了
我好困
我好难过啊
我太开心了
我超级累
我有点不舒服
我不舒服
我不饿
我不困
我不开心
我不想说话
我不想聊了
我不喜欢你
我不是这个意思
我没看懂
我没听清
我没时间
我没办法
我打错了
我记错了
我看错了
我弄错了
我猜也是
我想也是
我觉得可以
我觉得不行
我相信你
我支持你
我谢谢你
我去洗澡了
我先睡了
我先忙了
我要下线了
我要去吃饭了
我要出门了
我等会儿再说
我回头再聊
我马上来
我明天再来
我有话要说
我有点事
我有空
我想喝水
我想睡觉
我想回家
我想哭
我需要休息
我需要一点时间
我们明天再聊
我晕
我去
我靠
我的天啊
我的错
我投降
我服了
我笑了
我就说嘛
我说呢
是我
是我错了
那我走了
那我先睡了
好的我知道了
嗯我明白了
谢谢我知道了
你让我很开心
你说我听着
祝我好运
等我一下
别烦我
别骗我
帮帮我
教我英语
陪我聊天
救命
真不错
很好
非常好
不好意思
没关系的
这样啊
原来如此
说得对
有道理
好主意
好问题
牛
厉害了
可爱
继续
下一个
换一个
没了
就这样
就这些
完了
完成了
准备好了
开始吧
走吧
来吧"""
