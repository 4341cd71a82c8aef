// What the coach says: every text in English and Japanese. A name in braces stands for what is put there.

const TEXTS = {
  taken: ["Your {piece} can be taken.", "{piece}を取られます。"],
  lost: ["This loses your {piece}.", "この手では{piece}を取られます。"],
  captured: ["Your white whale can be captured.", "白鯨を取られます。"],
  mated: ["This lets your white whale be mated.", "この手では白鯨が詰まされます。"],
  much: ["This gives much away.", "この手では大きく損をします。"],
  sure: ["Play it all the same?", "それでも指しますか。"],
  play: ["Play it", "指す"],
  back: ["Take it back", "考え直す"],
  question: ["A word of the coach", "コーチからひとこと"],
  threat: ["Mind: {side} threatens your {piece} on {square}.", "注意：{side}が{square}の{piece}を狙っています。"],
  threatLater: ["Mind: {side} threatens to win your {piece}.", "注意：{side}が{piece}を狙っています。"],
  threatWhale: ["Mind: {side} threatens your white whale.", "注意：{side}が白鯨を狙っています。"],
  hintPiece: ["Hint: the {piece} on {square}. Once more: where to.", "ヒント：{square}の{piece}。もう一度押すと行き先。"],
  hintDrop: ["Hint: drop the {piece}. Once more: where.", "ヒント：{piece}を打つ。もう一度押すと場所。"],
  hintSquare: ["Hint: to {square}. Once more: the move.", "ヒント：{square}へ。もう一度押すと指し手。"],
  on: ["Coach: on", "コーチ：オン"],
  off: ["Coach: off", "コーチ：オフ"],
  setting: ["A coach looks on while I play against the engine", "エンジンとの対局でコーチが見守る"],
  form: [
    "With a coach, who warns before a move that loses something",
    "コーチつき（何かを失う手の前に知らせます）",
  ],
  first: ["A first game with a coach", "コーチと初めての対局"],
  looking: ["The coach looks at the game: {done} of {all}.", "コーチが対局を見直しています：{done}／{all}"],
  moments: ["What decided it", "勝負を分けた手"],
  none: ["No move lost much.", "大きな失着はありません。"],
  moment: ["{number} {move}: {before} % → {after} %", "{number} {move}：{before}％ → {after}％"],
  better: ["better {move}", "正着 {move}"],
  steps: [
    "Two games won with the coach: from now on it is off. The settings bring it back.",
    "コーチと二勝しました。これからはコーチなしです。設定で戻せます。",
  ],
  refuted: ["Not this one: {side} answers {move}.", "不正解：{side}の応手は{move}。"],
};

/**
 * A text of the coach.
 * @param {keyof typeof TEXTS} name
 * @param {Record<string, string | number>} values
 */
export function say(name, values = {}) {
  const [english] = TEXTS[name];
  return english.replace(/\{(\w+)\}/g, (_, key) => String(values[key]));
}
