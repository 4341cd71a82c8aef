// What errors say, and what the table, the server and the engines do: the English of their sources, where a test looks it
// up, and Japanese. What stands in braces is anything.

/** @type {[string, string][]} */
export const TOLD = [
  // Moves and commands that cannot be.
  ["It is the engine's turn.", "エンジンの手番です。"],
  ["No game is going on.", "対局中ではありません。"],
  ["There is no move to take back.", "戻せる手がありません。"],
  ["There is no move to bring back.", "取り消せる「待った」がありません。"],
  ["An impasse cannot be claimed here.", "ここでは持将棋を宣言できません。"],
  ["The game is over here ({ending}).", "ここで対局は終わっています。"],
  ["The start of the game cannot be deleted.", "開始局面は削除できません。"],
  ["The game is going on there: take moves back instead.", "対局中の手です。削除ではなく「待った」を使ってください。"],
  ["Nobody may move twice in a game.", "対局では、続けて2手指すことはできません。"],
  ["expected a legal move, found {found}", "合法手ではありません：{found}"],
  ["Engines do not agree on draws.", "エンジン同士では引き分けに合意できません。"],
  [
    "The engine declines: it agrees on no draw in the first {MOVES} moves.",
    "エンジンは断りました。双方が{MOVES}手ずつ指すまでは引き分けに応じません。",
  ],
  ["The engine declines the draw.", "エンジンは引き分けを断りました。"],

  // Games that are kept, or not.
  ["There is no such game any more.", "その対局はもうありません。"],
  ["There is no such game.", "その対局はありません。"],
  ["At most {0} games can be open at once: close some pages first.", "同時に開ける対局は{0}局までです。先にほかのページを閉じてください。"],
  ["Too many pages are open.", "開いているページが多すぎます。"],
  ["The saved game cannot be read: {0}", "保存された対局を読めません：{0}"],
  ["The game could not be saved: {0}", "対局を保存できませんでした：{0}"],
  ["The game is open: close its pages first.", "対局が開かれています。先にそのページを閉じてください。"],
  ["The text has {} games: this is the first.", "テキストには{}局あります。これは最初の1局です。"],
  [
    "expected at least a second and at most a day on the clocks",
    "持ち時間は1秒以上、1日以下にしてください。",
  ],

  // Positions that cannot be.
  ["expected one white whale of {side}, found {found}", "{side}の白鯨はちょうど1枚必要です（現在{found}枚）。"],
  [
    "expected at most {most} of {kinds} on both sides together, found {found}",
    "{kinds}は両者合わせて{most}枚までです（現在{found}枚）。",
  ],
  ["expected kinds that can be in hand, found {token} in the hand of {side}", "{side}の持ち駒に{token}は入れられません。"],
  ["expected the side not to move out of check, but {side} is in check", "手番でない{side}に王手がかかっています。"],
  ["expected no unpromoted {token} on its farthest rank, found one on {square}", "{square}：成っていない{token}はいちばん奥の段に置けません。"],
  [
    "expected at most {most} {class} of {side} on file {file}, found {found}",
    "{file}筋の{side}の{class}は{most}枚までです（現在{found}枚）。",
  ],

  // Files and servers.
  ["expected a file of lessons, found another", "レッスンのファイルではありません"],
  ["expected a file of openings, found another", "定跡のファイルではありません"],
  ["expected a file of puzzles, found another", "問題のファイルではありません"],
  ["The server did not answer for {} s.", "サーバーが{}秒間応答しませんでした。"],
  ["The server answered {}.", "サーバーの応答：{}"],
  ["The server sent another file in place of it.", "サーバーが別のファイルを返しました。"],
  ["this game needs one visit online: {what} not been fetched yet.", "このゲームは一度オンラインで開く必要があります。"],
  ["the server sent another file in place of the rules of the games.", "サーバーが別のファイルを返しました。"],
  [
    "this browser has no WebAssembly, or it is switched off. Allow it here, or try another browser.",
    "このブラウザーではWebAssemblyが使えないか、オフになっています。許可するか、別のブラウザーでお試しください。",
  ],
  [
    "this browser refuses WebAssembly. Allow it here, or try another browser.",
    "このブラウザーはWebAssemblyを拒否しました。許可するか、別のブラウザーでお試しください。",
  ],

  // Games kept in the browser.
  ["This game is open in another tab.", "この対局は別のタブで開かれています。"],
  ["This game has been deleted in another tab.", "この対局は別のタブで削除されました。"],
  ["{MOST} games are saved already: delete some first.", "すでに{MOST}局が保存されています。先にいくつか削除してください。"],
  [
    "expected room for {fresh} games, found {room}: delete some first",
    "{fresh}局分の空きが必要ですが、{room}局分しかありません。先にいくつか削除してください。",
  ],
  ["expected a file of saved games, found none", "保存した対局のファイルではありません"],
  ["expected a file of saved games, found another", "保存した対局のファイルではありません"],
  ["this browser has no store for them", "このブラウザーには保存する場所がありません"],
  ["this browser has no room for more: delete some games", "このブラウザーには空きがありません。対局をいくつか削除してください"],
  ["this browser lets the page keep no data", "このブラウザーはデータの保存を許可していません"],
  ["another tab keeps an older version open", "別のタブで古い版が開かれています"],
  ["another page of this address keeps something in their place", "同じアドレスの別のページのデータがあります"],
  [
    "a later version of this page keeps games here, which this one cannot read: load the page again",
    "新しい版が保存した対局があり、この版では読めません。ページを再読み込みしてください",
  ],
  ["the browser gave it up", "ブラウザーが処理を中止しました"],

  // Engines.
  ["the engine did not answer {what} within {} s", "エンジンが{}秒以内に応答しませんでした。"],
  ["the engine answered wrongly: {reason}", "エンジンの応答が正しくありません：{reason}"],
  ["the engine has ended: {complaint}", "エンジンが終了しました：{complaint}"],
];
