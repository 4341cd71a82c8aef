// Texts of the tour of the rules, a page after the other: English, Japanese.

/** @type {Record<string, [string, string]>} */
export const RULES = {
  "rules.title": ["The rules", "ルール"],
  "rules.count": ["{at} of {all}", "{at}／{all}"],
  "rules.back": ["Back", "戻る"],
  "rules.next": ["Next", "次へ"],
  "rules.done": ["Done", "閉じる"],

  "rules.board": [
    "Two sides, Black and White, move in turn on {files}×{ranks} squares. Black moves up the board and begins. Tiles belong to the side they point away from.",
    "{files}×{ranks}マスの盤で、先手と後手が交互に指します。先手は盤の上へ向かって進みます。駒は、とがった方を相手に向けて並べます。",
  ],
  "rules.goal-mate": [
    "Who checkmates the other side's white whale wins. A side that has no legal move loses as well. You may not leave your own white whale under attack.",
    "相手の白鯨を詰ませれば勝ちです。指せる手のない側も負けです。自分の白鯨を取られる位置に残してはいけません。",
  ],
  "rules.goal-capture": [
    "Who captures the other side's white whale wins at once. Nothing forces you to answer a check, but a whale left hanging is usually the end.",
    "相手の白鯨を取った側がその場で勝ちです。王手を受ける義務はありませんが、放っておくとたいてい負けになります。",
  ],
  "rules.captures": ["Captures and drops", "駒を取る・打つ"],
  "rules.captures.1": [
    "A captured piece changes sides and goes to its captor's hand. Instead of moving you may drop a piece from your hand on any empty square.",
    "取った駒は自分の持ち駒になります。盤上の駒を動かす代わりに、持ち駒を空いたマスに打てます。",
  ],
  "rules.captures.2": [
    "Click a piece in hand and then a marked square, or drag it there.",
    "持ち駒を押してから印のマスを押すか、そこまでドラッグします。",
  ],
  "rules.porpoise": ["Porpoise and killer whale", "ネズミイルカとシャチ"],
  "rules.porpoise.1": [
    "The porpoise goes one step sideways, no more. But who captures it gets a killer whale, the strongest piece of the game, for good.",
    "ネズミイルカは左右に1マスしか動けません。しかし取った側の手に入るのは、このゲームで最も強いシャチです。以後ずっとシャチのままです。",
  ],
  "rules.dolphins": ["Dolphins", "イルカ"],
  "rules.dolphins.1": [
    "A dolphin goes one step forward. On the farthest rank it slides diagonally backward instead, and is an ordinary dolphin again when it has left.",
    "イルカは前へ1マス進みます。いちばん奥の段では、代わりに斜め後ろへ何マスでも走れます。そこを離れると、ふつうのイルカに戻ります。",
  ],
  "rules.dolphins.2": [
    "A dolphin may not be dropped on the farthest rank, nor on a file with two or more dolphins of yours, nor to give checkmate.",
    "イルカは、いちばん奥の段と、自分のイルカが2枚以上ある筋には打てません。打って詰ませることもできません。",
  ],
  "rules.promotion": ["Promotion", "成り"],
  "rules.promotion.1": [
    "The three farthest ranks are your promotion zone (tinted on the board). A piece may promote on any move that begins or ends there; a calf that reaches the farthest rank must. Promoted pieces have red letters and never promote again.",
    "奥の3段（盤の色のついた所）で駒が成れます。そこに入る手、そこから動く手で成れ、いちばん奥に着いた子クジラは必ず成ります。成った駒の文字は赤く、二度は成りません。",
  ],
  "rules.promotion.2": [
    "Captured, a piece is again what it was before it promoted. Several kinds can move alike and still be different pieces: a promoted calf moves as its adult, but is a calf in hand.",
    "取られた駒は成る前に戻ります。動きが同じでも別の駒ということがあります。成った子は大人と同じ動きですが、持ち駒になると子に戻ります。",
  ],
  "rules.calves": ["Calves", "子クジラ"],
  "rules.calves.1": [
    "All eleven kinds of calves step straight forward. They may not be dropped on the farthest rank, nor on a file with another unpromoted calf of yours, nor to give a checkmate that nothing can answer.",
    "11種類の子クジラは、どれも前へ1マス進みます。いちばん奥の段と、成っていない自分の子クジラがいる筋には打てません。打って詰ませることもできません。",
  ],
  "rules.killer": ["Killer whale: captures on the way", "シャチ：途中で取る"],
  "rules.killer.1": [
    "Forward along the diagonals the killer whale can jump two squares, capture what it jumps over, or capture the piece beside it and stay (igui).",
    "シャチは斜め前へ2マス跳べます。飛び越える駒を取ることも、すぐ斜め前の駒を動かずに取ること（居食い）もできます。",
  ],
  "rules.killer.2": [
    "Click the killer whale, then the square it captures on, then where it ends: the same square again to stop there, its own square to stay, a square beyond to go on.",
    "シャチ、取る駒のマス、止まるマスの順に押します。そこで止まるなら同じマス、動かないなら元のマス、先へ進むなら先のマスを押します。",
  ],
  "rules.false-killer": ["False killer whale", "オキゴンドウ"],
  "rules.false-killer.1": [
    "Straight ahead it goes up to three squares and captures any of the pieces it passes, or captures and stays. With an empty square in front it may pass: click it twice and choose Pass.",
    "前へ3マスまで進み、通り過ぎる駒をどれでも取れます。動かずに取ることもできます。前が空いていれば、じっとできます。2回押して「じっと」を選びます。",
  ],
  "rules.beluga": ["Beluga and blue whale", "シロイルカとシロナガスクジラ"],
  "rules.beluga.1": [
    "The beluga captures on any square beside it, with or without going there. The blue whale steps diagonally to an empty square and slides on from there in any direction, even back to where it was, which is a pass.",
    "シロイルカは隣のどのマスの駒も、動いても動かなくても取れます。シロナガスクジラは斜めの空いたマスへ1マス進み、そこからどの方向へも走れます。元のマスに戻れば、じっとしたことになります。",
  ],
  "rules.draws": ["Draws", "引き分け"],
  "rules.draws.1": [
    "When a position occurs for the fourth time with the same side to move and the same hands, the game is a draw. But a side that gave check with every move in between loses.",
    "同じ局面が同じ手番、同じ持ち駒で4回現れると引き分け（千日手）です。ただし、その間ずっと王手をかけ続けた側は負けです。",
  ],
  "rules.draws.impasse": [
    "An impasse rule, handicaps and other points on which sources differ can be chosen with a new game.",
    "持将棋や駒落ちのほか、出典によって異なるルールも、新しい対局を始めるときに選べます。",
  ],
  "rules.draws.off": [
    "That rule can be switched off with a new game.",
    "このルールは、新しい対局を始めるときにオフにできます。",
  ],
};
