// The table of texts: English and Japanese, by key. Nobody whose language it is has read the Japanese yet.
//
// What stands in braces is filled in. The course, the coach and their settings take their texts from here; other parts of
// the page still have theirs where they show them, and can move.

import { language } from "./prefs.js";

/** By key: English, Japanese. */
const TEXTS = {
  language: ["Language of lessons", "課の言語"],
  "language.auto": ["As the browser", "ブラウザーと同じ"],
  learn: ["Learn", "学ぶ"],
  "learn.on": ["Go on learning", "続きを学ぶ"],
  "learn.course": ["The course", "コース"],
  "learn.step": ["{at} of {all}", "全{all}課の第{at}課"],
  "learn.known": ["{done} of {all} lessons done", "{all}課中{done}課修了"],
  "learn.all": ["All lessons", "課の一覧"],
  "learn.hint": ["Show me", "手を見る"],
  "learn.again": ["Again", "もう一度"],
  "learn.next": ["Next", "次へ"],
  "learn.close": ["To the games", "ゲームへ"],
  "learn.play": ["Play", "対局する"],
  "learn.real": ["Full board", "実際の盤で見る"],
  "learn.free": [
    "The piece stands where it begins a game. Move either side as you like.",
    "対局を始めるときの位置です。どちらの駒も自由に動かせます。",
  ],
  "learn.back": ["Back to the lesson", "課に戻る"],
  "learn.stars": ["{stars} of 3 stars", "星{stars}／3"],
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
  "said.lost": ["Not this time. Try again.", "今回は負けです。もう一度やってみましょう。"],
  "said.watch": ["Watch.", "見てみましょう。"],

  // Why a move is not legal: the English words are the table's (`WhyNot` in Rust), which knows more of them.
  "why.over": ["The game is over.", "対局は終わっています。"],
  "why.empty": ["Nothing stands on {square}.", "{square}に駒はありません。"],
  "why.not-yours": ["The piece on {square} is the other side's.", "{square}の駒は相手のものです。"],
  "why.no-pass": ["The {kind} may not pass here.", "{kind}はここで「じっと」できません。"],
  "why.own-piece": ["Your own piece stands on {square}.", "{square}には自分の駒があります。"],
  "why.blocked": [
    "Something stands in the way of the {kind} to {square}.",
    "{square}への途中に駒があり、{kind}は進めません。",
  ],
  "why.unreachable": ["The {kind} does not move to {square}.", "{kind}は{square}へ動けません。"],
  "why.stays-in-check": [
    "Your white whale is in check, and this does not save it.",
    "白鯨に王手がかかっています。この手では防げません。",
  ],
  "why.leaves-whale": ["This would leave your white whale under attack.", "この手では白鯨が取られてしまいます。"],
  "why.retreat-full": [
    "The {kind} may not retreat to {square}: two others of its kind stand on that file.",
    "{square}の筋には同じ駒が2枚あり、{kind}は戻れません。",
  ],
  "why.not-in-hand": ["There is no {kind} in hand.", "持ち駒に{kind}はありません。"],
  "why.occupied": [
    "Pieces are dropped on empty squares only; {square} is not.",
    "駒は空いたマスにしか打てません。{square}には駒があります。",
  ],
  "why.farthest-rank": [
    "The {kind} may not be dropped on the farthest rank.",
    "{kind}はいちばん奥の段には打てません。",
  ],
  "why.file-full": [
    "The {kind} may not be dropped in this column: it holds as many of yours as it may.",
    "この筋には打てる数の{kind}がもうあります。",
  ],
  "why.mating-drop": ["The {kind} may not be dropped to give mate.", "{kind}を打って詰ませることはできません。"],

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
    "これはあなたの白鯨です。どの方向へも1マス動けます。相手の白鯨を詰ませれば勝ち、詰まされれば負けです。印のマスへ行きましょう。",
  ],
  "step.goal-capture": [
    "This is your white whale. It steps one square in any direction. Who captures the other side's wins. Go to the marked squares.",
    "これはあなたの白鯨です。どの方向へも1マス動けます。相手の白鯨を取れば勝ちです。印のマスへ行きましょう。",
  ],
  "step.reach": ["Go to all marked squares with the {one}.", "{one}で印のマスすべてへ行きましょう。"],
  "step.reach-both": ["Go to all marked squares with {one} and {two}.", "{one}と{two}で印のマスすべてへ行きましょう。"],
  "step.capture": ["Capture all marked pieces with the {one}.", "{one}で印の駒をすべて取りましょう。"],
  "step.turncoat": [
    "A captured piece is yours to drop on any empty square. A captured porpoise comes back as a killer whale: capture it, then drop the killer whale on the marked square.",
    "取った駒は持ち駒になり、空いたマスに打てます。ネズミイルカを取るとシャチになります。取ってから、印のマスにシャチを打ちましょう。",
  ],
  "step.safe": ["Capture a piece so that yours cannot be taken in return.", "取り返されないように駒を取りましょう。"],
  "step.retreat": [
    "A dolphin steps straight ahead. On the farthest rank it slides diagonally backward instead. Go to all marked squares.",
    "イルカは前へ1マス進みます。いちばん奥の段では、斜め後ろへ何マスでも動けます。印のマスすべてへ行きましょう。",
  ],
  "step.files": [
    "After a drop at most two dolphins of yours stand in one column, and a dolphin is not dropped on the last row. Drop yours where that is legal.",
    "イルカは、自分のイルカが2枚ある筋と、いちばん奥の段には打てません。打てるマスにイルカを打ちましょう。",
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
    "奥の3段では駒が成れます。子クジラは大人になります。途中で成って、印のマスすべてへ行きましょう。",
  ],
  "step.adult": [
    "Most adults promote, too. Promote the {one}, and go to all marked squares with its new move.",
    "大人のクジラもほとんどが成れます。{one}を成って、新しい動きで印のマスすべてへ行きましょう。",
  ],
  "step.two-phase": [
    "The blue whale steps diagonally, and from an empty square slides on in any direction. Go to all marked squares.",
    "シロナガスクジラは斜めに1マス進み、空いたマスならそこからどの方向へも走れます。印のマスすべてへ行きましょう。",
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
    "{one}は印に輪のある隣のマスの駒を、動かずに取れます（居食い）。駒、取る駒、元のマスの順に選びます。そこへ動くと取り返されます。",
  ],
  "step.pass": [
    "With an empty square in front the {one} may pass: choose it twice, then Pass.",
    "前が空いていれば、{one}はじっとできます（パス）。2回選んで「じっと」を選びましょう。",
  ],
  "step.battle": [
    "Win this small battle against the engine: three stars within {moves} moves.",
    "この小さな対局に勝ちましょう。{moves}手以内なら星3つです。",
  ],
  "step.game": [
    "This is the full board. You know enough for a first game against a weak engine, with a coach.",
    "これが本当の盤です。コーチつきで、弱いエンジンとの初めての対局に進めます。",
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

  // A game: how it stands, what can be done, how it ended.
  "side.turn": ["{side} to move", "{side}の手番"],
  "side.checked": ["{side} to move, in check", "{side}の手番（王手）"],
  "status.back": ["looking back: a move here begins a branch", "過去の局面：ここで指すと分岐します"],
  "status.free": ["free board", "自由な盤"],
  "do.take-back": ["Take back", "待った"],
  "do.bring-back": ["Bring back", "戻した手を指す"],
  "do.hint": ["Hint", "ヒント"],
  "do.move-now": ["Move now", "すぐ指させる"],
  "do.pause": ["Pause", "中断"],
  "do.resume": ["Play from here", "ここから対局"],
  "do.resign": ["Resign", "投了"],
  "do.opponents": ["Players…", "対局者…"],
  "do.editor": ["Editor", "局面編集"],
  "end.win": ["You win", "あなたの勝ち"],
  "end.loss": ["You lose", "あなたの負け"],
  "end.draw": ["Draw", "引き分け"],
  "end.wins": ["{side} wins", "{side}の勝ち"],
  "end.rematch": ["Rematch", "もう一局"],
  "end.colour": ["Other colour", "先後を替える"],
  "end.analyse": ["Analyse", "検討"],
  "end.new": ["New game…", "新しい対局…"],
  "end.won-twice": ["Two wins in a row: ", "2連勝：次は"],
  "end.lost-twice": ["Two losses in a row: ", "2連敗：次は"],
  "end.play": ["play {engine}", "{engine}と対局"],
  "welcome.play": ["Play", "対局"],
  "welcome.analyse": ["Analyse", "検討"],
  "welcome.puzzles": ["Puzzles", "詰将棋"],
  "welcome.rules": ["The rules in a few pages", "ルールの説明（英語）"],

  // What a piece can do.
  "now.turn": ["It is {side}'s turn.", "{side}の手番です。"],
  "now.go": ["It can go to {squares} now.", "動けるマス：{squares}"],
  "now.drop": ["It can be dropped on {squares} now.", "打てるマス：{squares}"],
  "now.check": ["It cannot answer the check.", "この駒では王手を防げません。"],
  "now.none": ["It has no legal move now.", "この駒はいま動けません。"],
  "now.nowhere": ["It can be dropped nowhere now.", "この駒はいま打てません。"],
  "way.choose": ["Choose {ways}.", "{ways}を選んでください。"],
  "way.escape": [" Escape begins again.", "Escでやり直せます。"],
  "way.on": ["a marked square to go on", "続けるなら印のマス"],
  "way.stop": ["the same square again to stop there", "そこで止まるなら同じマス"],
  "way.own": ["its own square to capture and stay", "取って元へ戻るなら元のマス"],
  "way.or": [", or ", "、"],
  "way.pass": ["Pass", "じっと"],

  "attacks.legend": [
    "Dark stripes: Black attacks. Light stripes: White attacks. Dotted ring: attacked and not protected.",
    "濃い縞：先手の利き。薄い縞：後手の利き。点線の輪：ひもの付いていない、取られる駒。",
  ],

  // The coach.
  "coach.taken": ["Your {piece} can be taken.", "{piece}を取られます。"],
  "coach.lost": ["This loses your {piece}.", "この手では{piece}を取られます。"],
  "coach.captured": ["Your white whale can be captured.", "白鯨を取られます。"],
  "coach.mated": ["This lets your white whale be mated.", "この手では白鯨が詰まされます。"],
  "coach.much": ["This gives much away.", "この手では大きく損をします。"],
  "coach.sure": ["Play it all the same?", "それでも指しますか。"],
  "coach.play": ["Play it", "指す"],
  "coach.back": ["Take it back", "考え直す"],
  "coach.question": ["A word of the coach", "コーチからひとこと"],
  "coach.threat": ["Mind: {side} threatens your {piece} on {square}.", "注意：{side}が{square}の{piece}を狙っています。"],
  "coach.threatLater": ["Mind: {side} threatens to win your {piece}.", "注意：{side}が{piece}を狙っています。"],
  "coach.threatWhale": ["Mind: {side} threatens your white whale.", "注意：{side}が白鯨を狙っています。"],
  "coach.hintPiece": ["Hint: the {piece} on {square}. Once more: where to.", "ヒント：{square}の{piece}。もう一度押すと行き先。"],
  "coach.hintDrop": ["Hint: drop the {piece}. Once more: where.", "ヒント：{piece}を打つ。もう一度押すと場所。"],
  "coach.hintSquare": ["Hint: to {square}. Once more: the move.", "ヒント：{square}へ。もう一度押すと指し手。"],
  "coach.on": ["Coach: on", "コーチ：オン"],
  "coach.off": ["Coach: off", "コーチ：オフ"],
  "coach.setting": ["A coach looks on while I play against the engine", "エンジンとの対局でコーチが見守る"],
  "coach.form": [
    "With a coach, who warns before a move that loses something",
    "コーチつき（何かを失う手の前に知らせます）",
  ],
  "coach.looking": ["The coach looks at the game: {done} of {all}.", "コーチが対局を見直しています：{done}／{all}"],
  "coach.moments": ["What decided it", "勝負を分けた手"],
  "coach.yours": ["What decided it: your winning chances", "勝負を分けた手（あなたの勝率）"],
  "coach.black": ["What decided it: Black's winning chances", "勝負を分けた手（先手の勝率）"],
  "coach.greeting": [
    "You are {side}, below. Touch a piece: marks show where it goes. The coach warns before a bad move.",
    "あなたは{side}（手前）です。駒に触れると動けるマスに印が出ます。悪い手の前にはコーチが知らせます。",
  ],
  "coach.none": ["No move lost much.", "大きな失着はありません。"],
  "coach.moment": ["{number} {move}: {before} % → {after} %", "{number} {move}：{before}％ → {after}％"],
  "coach.better": ["better {move}", "正着 {move}"],
  "coach.steps": [
    "Two games won with the coach: from now on it is off. The settings bring it back.",
    "コーチつきで2勝しました。これからはコーチなしです。設定で戻せます。",
  ],
  "coach.refuted": ["Not this one: {side} answers {move}.", "不正解：{side}の応手は{move}。"],
};

/** The Japanese names of games, sides and kinds, by the English ones. */
const NAMES = {
  Black: "先手",
  White: "後手",
  "Whale Shogi": "鯨将棋",
  "Paulowich Whale Shogi": "パウロウィッチ鯨将棋",
  "Great Whale Shogi": "大鯨将棋",
  "white whale": "白鯨",
  "killer whale": "シャチ",
  "grey whale": "コククジラ",
  "gray whale": "コククジラ",
  narwhal: "イッカク",
  humpback: "ザトウクジラ",
  "humpback whale": "ザトウクジラ",
  "blue whale": "シロナガスクジラ",
  porpoise: "ネズミイルカ",
  dolphin: "イルカ",
  "Pacific northern right whale": "セミクジラ",
  "bowhead whale": "ホッキョククジラ",
  "bottlenose dolphin": "ハンドウイルカ",
  "rough-toothed dolphin": "シワハイルカ",
  "sei whale": "イワシクジラ",
  "minke whale": "ミンククジラ",
  "fin whale": "ナガスクジラ",
  "Bryde's whale": "ニタリクジラ",
  "harbor porpoise": "ネズミイルカ",
  "Dall's porpoise": "イシイルカ",
  "black right whale": "タイセイヨウセミクジラ",
  "sperm whale": "マッコウクジラ",
  "northern bottlenose whale": "キタトックリクジラ",
  "pilot whale": "ゴンドウクジラ",
  "dwarf minke whale": "ドワーフミンククジラ",
  "pygmy killer whale": "ユメゴンドウ",
  "giant bottlenose whale": "ツチクジラ",
  "Cuvier's beaked whale": "アカボウクジラ",
  "pygmy sperm whale": "コマッコウ",
  "false killer whale": "オキゴンドウ",
  "beluga whale": "シロイルカ",
};

/** Whether the table has a text. */
export const has = (key) => Object.hasOwn(TEXTS, key);

/** The text of a key, with what stands in braces filled in. */
export function t(key, values = {}) {
  const text = TEXTS[key][language() === "ja" ? 1 : 0];
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** The name of a game, a side or a kind: `name` is the English one. */
export function named(name) {
  if (language() !== "ja") return name;
  const calf = / calf$/.exec(name);
  return calf ? `${named(name.slice(0, calf.index))}の子` : (NAMES[name] ?? name);
}

/** All of it, for tests. */
export const table = { TEXTS, NAMES };
