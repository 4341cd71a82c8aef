// Texts of lessons and of their card: English, Japanese.

/** @type {Record<string, [string, string]>} */
export const LEARN = {
  learn: ["Learn", "学ぶ"],
  "learn.on": ["Go on learning", "続きを学ぶ"],
  "learn.course": ["The course", "コース"],
  "learn.step": ["{at} of {all}", "レッスン {at}／{all}"],
  "learn.known": ["{done} of {all} lessons done", "全{all}レッスン中{done}修了"],
  "learn.all": ["All lessons", "レッスン一覧"],
  "learn.hint": ["Show me", "手を見る"],
  "learn.again": ["Again", "もう一度"],
  "learn.next": ["Next", "次へ"],
  "learn.close": ["To the games", "ゲームへ"],
  "learn.play": ["Play", "対局する"],
  "learn.real": ["Full board", "実際の盤で見る"],
  "learn.free": [
    "The piece stands where it begins a game. Move either side as you like.",
    "選ばれた駒は、対局を始めるときの位置にあります。どちらの側の駒も自由に動かせます。",
  ],
  "learn.back": ["Back to the lesson", "レッスンに戻る"],
  "learn.stars": ["{stars} of 3 stars", "星3つ中{stars}つ"],
  "learn.none": ["not done", "未修了"],
  "learn.and": ["{one} and {two}", "{one}と{two}"],
  "learn.fewest": ["Fewest moves: {moves}. You: {used}.", "最少手数：{moves}手。あなた：{used}手。"],
  "learn.banner": [
    "New here? {name} is learnt in a few minutes: you move, the board answers.",
    "はじめてですか。{name}は数分で覚えられます。駒を動かせば盤が答えます。",
  ],

  // What is said of a move.
  "said.done": ["Done!", "できました！"],
  "said.check": [
    "That gives check. Here the other side does not move: try another way.",
    "王手です。ここでは相手は動きません。別の手を試しましょう。",
  ],
  "said.over": ["The game would be over: try another way.", "これで終局になってしまいます。別の手を試しましょう。"],
  "said.wrong": ["Not this one: try another.", "ちがいます。別の手を試しましょう。"],
  "said.answered": ["Careful: the other side answers like this.", "注意：こう応じられます。"],
  "said.lost": ["Not this time. Try again.", "今回は勝てませんでした。もう一度やってみましょう。"],
  "said.watch": ["Watch.", "見てみましょう。"],
  // Groups.
  "group.pieces": ["The pieces", "駒の動き"],
  "group.captures": ["Captures and drops", "駒を取る・打つ"],
  "group.dolphins": ["Dolphins", "イルカ"],
  "group.whale": ["Check and mate", "王手と詰み"],
  "group.games": ["Play", "対局"],
  "group.calves": ["Calves", "子クジラ"],
  "group.baleen": ["Baleen whales", "ヒゲクジラ"],
  "group.sea": ["Dolphins and porpoises", "イルカとネズミイルカ"],
  "group.sliders": ["Sperm, humpback and beaked whales", "マッコウ・ザトウ・アカボウの仲間"],
  "group.promoted": ["Promoted whales", "成駒"],
  "group.lions": ["Captures on the way", "途中で取る駒"],
  "group.goal": ["The goal", "目的"],
  "group.attack": ["Attack and defence", "攻めと受け"],

  // The sentences of the steps, and their titles where they are not those of pieces.
  "step.goal-mate": [
    "This is your white whale. It steps one square in any direction. Attack the other side's so that it cannot escape (mate), and keep yours safe. Go to the marked squares.",
    "これはあなたの白鯨です。どの方向へも1マス動けます。相手の白鯨を逃げられない形に追い込めば（詰み）勝ちです。自分の白鯨は守りましょう。印のマスをすべて回りましょう。",
  ],
  "step.goal-capture": [
    "This is your white whale. It steps one square in any direction. Who captures the other side's wins. Go to the marked squares.",
    "これはあなたの白鯨です。どの方向へも1マス動けます。相手の白鯨を取れば勝ちです。印のマスをすべて回りましょう。",
  ],
  "step.reach": ["Go to all marked squares with the {one}.", "{one}で印のマスをすべて回りましょう。"],
  "step.reach-both": ["Go to all marked squares with {one} and {two}.", "{one}と{two}で印のマスをすべて回りましょう。"],
  "step.capture": ["Capture all marked pieces with the {one}.", "{one}で印の駒をすべて取りましょう。"],
  "step.turncoat": [
    "A captured piece is yours to drop on any empty square. A captured porpoise comes back as a killer whale: capture it, then drop the killer whale on the marked square.",
    "取った駒は持ち駒になり、空いたマスに打てます。ネズミイルカを取るとシャチになります。取ってから、印のマスにシャチを打ちましょう。",
  ],
  "step.safe": ["Capture a piece so that yours cannot be taken in return.", "取り返されないように駒を取りましょう。"],
  "step.retreat": [
    "A dolphin steps straight ahead. On the farthest rank it slides diagonally backward instead. Go to all marked squares.",
    "イルカは前へ1マス進みます。いちばん奥の段では、代わりに斜め後ろへ何マスでも走れます。印のマスをすべて回りましょう。",
  ],
  "step.files": [
    "After a drop at most two dolphins of yours stand in one column, and a dolphin is not dropped on the last row. Drop yours where that is legal.",
    "イルカは、自分のイルカが2枚以上ある筋と、いちばん奥の段には打てません。打てるマスにイルカを打ちましょう。",
  ],
  "step.calf-files": [
    "A calf is dropped only on a file without another unpromoted calf of yours, and not on the farthest rank. Drop your calf.",
    "子クジラは、成っていない自分の子クジラがいる筋と、いちばん奥の段には打てません。子クジラを打ちましょう。",
  ],
  "step.check": ["Give check: attack the other side's white whale.", "王手をかけましょう。相手の白鯨を攻める手です。"],
  "step.parry": [
    "Your white whale is in check. Move it, capture the piece that gives check, or put one in between.",
    "あなたの白鯨に王手がかかっています。逃げる、王手の駒を取る、間に駒を入れる、のどれかで防ぎましょう。",
  ],
  "step.parry-capture": [
    "Your white whale is attacked. Nothing forces you to answer, but it would be captured. Save it.",
    "あなたの白鯨が狙われています。受けなくても反則ではありませんが、取られてしまいます。守りましょう。",
  ],
  "step.mate": [
    "Mate in one move: give check so that nothing helps.",
    "1手で詰ませましょう。どう応じても逃れられない王手です。",
  ],
  "step.mate-capture": [
    "Mate in one move: attack the white whale so that you capture it next, whatever is played.",
    "1手で詰ませましょう。どう応じられても次に白鯨を取れるように攻めます。",
  ],
  "step.mating-drop": [
    "A dolphin may not be dropped to give mate. Find another mate.",
    "イルカを打って詰ませるのは反則です。別の手で詰ませましょう。",
  ],
  "step.whale": ["Capture the white whale.", "白鯨を取りましょう。"],
  "step.repetition": [
    "The same position for the fourth time is a draw. But a side that gave check with every move in between loses.",
    "同じ局面が4回現れると引き分け（千日手）です。ただし、その間ずっと王手をかけ続けた側は負けです。",
  ],
  "step.promotion": [
    "On the three farthest ranks a piece may promote; a calf becomes an adult. Promote on your way, and go to all marked squares.",
    "奥の3段では駒が成れます。子クジラは大人になります。途中で成って、印のマスをすべて回りましょう。",
  ],
  "step.adult": [
    "Most adults promote, too. Promote the {one}, and go to all marked squares with its new move.",
    "大人のクジラもほとんどが成れます。{one}を成って、新しい動きで印のマスをすべて回りましょう。",
  ],
  "step.two-phase": [
    "The blue whale steps diagonally, and from an empty square slides on in any direction. Go to all marked squares.",
    "シロナガスクジラは斜めに1マス進み、空いたマスならそこからどの方向へも走れます。印のマスをすべて回りましょう。",
  ],
  "step.lion": [
    "The killer whale captures on its way: choose it, then the first piece, then the second. Capture both in one move.",
    "シャチは途中の駒も取れます。シャチ、1枚目、2枚目の順に選び、1手で2枚とも取りましょう。",
  ],
  "step.way": [
    "The false killer whale captures what it passes straight ahead. Choose each piece on its way. Capture all in one move.",
    "オキゴンドウは前方で飛び越える駒を取れます。途中の駒を順に選び、1手ですべて取りましょう。",
  ],
  "step.igui": [
    "The {one} captures a piece next to it, where its marks have rings, and stays (igui): choose it, the piece, then its own square. Whoever goes there would be captured.",
    "{one}は印に輪のある隣のマスの駒を、動かずに取れます（居食い）。{one}、取る駒、元のマスの順に選びます。そこへ動くと取り返されます。",
  ],
  "step.pass": [
    "With an empty square in front the {one} may pass: choose it twice, then Pass.",
    "前が空いていれば、{one}は動かずに手番を渡せます（じっと）。2回選んで「じっと」を選びましょう。",
  ],
  "step.battle": [
    "Win this small battle against the engine: three stars within {moves} moves.",
    "エンジンとの小さな対局に勝ちましょう。{moves}手以内なら星3つです。",
  ],
  "step.game": [
    "This is the full board. You know enough for a first game against a weak engine, with a coach.",
    "これが実際の盤です。ここまで覚えれば、コーチつきで弱いエンジンと初めての対局ができます。",
  ],
  "title.goal": ["The white whale", "白鯨"],
  "title.turncoat": ["The captured porpoise", "取ったネズミイルカ"],
  "title.safe": ["Capture safely", "安全に取る"],
  "title.retreat": ["The dolphin", "イルカ"],
  "title.files": ["Where to drop", "打てる筋"],
  "title.promotion": ["Calves promote", "子クジラの成り"],
  "title.adult": ["Adults promote", "大人の成り"],
  "title.check": ["Check", "王手"],
  "title.parry": ["In check", "王手を防ぐ"],
  "title.mate": ["Mate", "詰み"],
  "title.right-mate": ["Mate", "詰み"],
  "title.mating-drop": ["The forbidden drop", "打ちイルカ詰め"],
  "title.repetition": ["Repetition", "千日手"],
  "title.whale": ["Capture the whale", "白鯨を取る"],
  "title.igui": ["Killer whale: igui", "シャチの居食い"],
  "title.pass": ["Pass", "じっと"],
  "title.battle": ["A small battle", "小さな対局"],
  "title.game": ["The first game", "初めての対局"],
};
