// The page of a tournament: its tables, its games, and a board to step through them. It knows no rule: where pieces stand
// after each move is in the data.

const data = JSON.parse($("#data").textContent);

/** Squares that a move names: where it starts, what it captures on the way, where it ends; a drop names one. */
function squares(usi) {
  const names = usi?.match(/\d+[a-k]/g) ?? [];
  return { from: usi?.includes("*") ? undefined : names[0], way: names.slice(1, -1), to: names.at(-1) };
}

/** Cells of a table row. */
const cells = (kind, values) => values.map((value) => (value instanceof Node ? value : el(kind, {}, value)));

/** Half points as points. */
const points = (half) => (half % 2 ? `${half > 1 ? Math.floor(half / 2) : ""}½` : String(half / 2));

const nameOf = (engine) => data.engines[engine].name;

/** What the list of games is confined to: none, one or two engines. */
let picked = [];

/** The columns of the standings that say something. */
const COLUMNS = [
  ["Won", (row) => row.rounds_won, "Rounds survived"],
  ["Bye", (row) => row.byes || null, "Rounds without an opponent, counted as won"],
  ["Buch", (row) => row.buchholz && points(row.buchholz), "Buchholz: points of all opponents"],
  ["SB", (row) => row.sonneborn_berger && (row.sonneborn_berger / 4).toFixed(2), "Sonneborn-Berger: points of opponents times points won from them"],
  ["Fail", (row) => row.failures || null, "Games lost by failure: time, a crash, an illegal move"],
];

function standings() {
  const columns = COLUMNS.filter(([, cell]) => data.placings.some((row) => cell(row)));
  const head = [
    ...cells("th", ["#", el("th", { class: "name" }, "Engine"), "Points", "+", "=", "−"]),
    ...columns.map(([name, , title]) => el("th", { title }, name)),
  ];
  const rows = data.placings.map((row) => {
    const [losses, draws, wins] = row.results;
    const engine = data.engines[row.engine];
    const name = el("button", { onclick: () => choose([row.engine]), title: `${engine.name}: ${engine.limit}` }, engine.name);
    return el(
      "tr",
      {},
      ...cells("td", [String(row.place), el("td", { class: "name" }, name), points(row.half_points), String(wins), String(draws), String(losses)]),
      ...columns.map(([head, cell]) => el("td", { class: head === "Fail" ? "bad" : null }, String(cell(row) ?? ""))),
    );
  });
  $("#standings").replaceChildren(
    el("h2", {}, "Standings"),
    el("div", { class: "wide" }, el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows))),
    el("h3", {}, "Everybody against everybody"),
    el("div", { class: "wide" }, crossTable()),
    el("h3", {}, "Ratings"),
    el("div", { class: "wide" }, ratings()),
    el("ul", { class: "notes" }, data.notes.map((note) => el("li", {}, note))),
  );
}

/** With a digit, and never a zero with a minus. */
const rounded = (number) => (number === null ? "–" : (Math.round(number * 10) / 10 + 0).toFixed(1));

const percent = (share) => (share === null ? "–" : `${(100 * share).toFixed(1)} %`);

/** The strength of the engines by all games, whoever met whom. */
function ratings() {
  const head = ["Elo", "± 95 %", "Games", "Score", "Draws", "Opp.", "LOS"];
  const rows = data.ratings.map((row, index) =>
    el(
      "tr",
      {},
      el("td", {}, String(index + 1)),
      el("td", { class: "name", title: row.name }, row.name),
      ...cells("td", [
        rounded(row.elo),
        rounded(row.error),
        String(row.games),
        percent(row.score),
        percent(row.draws),
        rounded(row.opponents),
        percent(row.superiority),
      ]),
    ),
  );
  return el(
    "table",
    {},
    el("thead", {}, el("tr", {}, el("th", {}, "#"), el("th", { class: "name" }, "Engine"), ...cells("th", head))),
    el("tbody", {}, rows),
  );
}

/** Points of each engine against each; a cell shows these games. */
function crossTable() {
  const order = data.placings.map(({ engine }) => engine);
  const cell = (row, column) => {
    if (row === column) return el("td", { class: "self" });
    const played = data.games.filter(({ players }) => players.includes(row) && players.includes(column));
    if (played.length === 0) return el("td", {}, "–");
    const half = played.reduce((sum, { players, half }) => sum + half[players.indexOf(row)], 0);
    return el("td", {}, el("button", { onclick: () => choose([row, column]) }, `${points(half)}/${played.length}`));
  };
  const head = order.map((engine, index) => el("th", { title: nameOf(engine) }, String(index + 1)));
  const rows = order.map((row, index) =>
    el("tr", {}, el("td", {}, String(index + 1)), el("td", { class: "name", title: nameOf(row) }, nameOf(row)), ...order.map((column) => cell(row, column))),
  );
  return el("table", {}, el("thead", {}, el("tr", {}, el("th"), el("th", { class: "name" }), head)), el("tbody", {}, rows));
}

/** Confines the list of games to engines. */
function choose(engines) {
  picked = engines;
  list();
  $("#games").scrollIntoView({ behavior: "smooth", block: "nearest" });
}

/** So many games are all shown at once. */
const FEW = 80;

function list() {
  const shown = (game) => picked.every((engine) => data.games[game].players.includes(engine));
  const rounds = data.rounds.map((round) => {
    const encounters = round.encounters
      .map((found) => ({ ...found, games: found.games.filter(shown) }))
      .filter(({ games }) => games.length > 0);
    const byes = round.byes.filter((bye) => picked.every((engine) => engine === bye));
    return { ...round, encounters, byes };
  });
  const many = data.games.length > FEW && picked.length === 0;
  $("#games").replaceChildren(
    el(
      "div",
      { class: "filter" },
      el("h2", {}, picked.length === 0 ? "Games" : `Games of ${picked.map(nameOf).join(" and ")}`),
      picked.length > 0 && el("button", { onclick: () => choose([]) }, "All games"),
    ),
    ...rounds
      .filter(({ encounters, byes }) => encounters.length + byes.length > 0)
      .map(({ name, encounters, byes }, index, all) =>
        el(
          "details",
          { open: !many || index === all.length - 1 },
          el("summary", {}, name),
          encounters.flatMap(encounter),
          byes.map((bye) => el("p", { class: "facts" }, `${nameOf(bye)}: no opponent`)),
        ),
      ),
  );
  current();
}

function encounter({ engines, score, games }) {
  const title = engines.map(nameOf).join(" – ");
  return [
    el("div", { class: "encounter" }, el("b", {}, title), score && el("b", {}, score.map(points).join(" : "))),
    el(
      "div",
      { class: "games" },
      games.map((number) => {
        const { players, result, ending, moves } = data.games[number];
        return el(
          "button",
          { "data-game": number, title: `Black: ${nameOf(players[0])}, White: ${nameOf(players[1])}. ${ending}`, onclick: () => open(number, true) },
          // The colour of the engine that is named first.
          el("span", { class: `stone ${players[0] === engines[0] ? "b" : "w"}` }),
          `${result === "1/2-1/2" ? "½–½" : result.replace("-", "–")} `,
          el("span", { class: "facts" }, `${data.games[number].reason}, ${moves.length}`),
        );
      }),
    ),
  ];
}

/** Shows which game of the list is on the board. */
function current() {
  for (const button of document.querySelectorAll("#games [data-game]")) {
    const now = Number(button.dataset.game) === number;
    button.classList.toggle("now", now);
    if (now) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}

// The game on the board

let number = -1;
let at = 0;
let flipped = false;
/** Where the pieces are after each move of the game, as far as somebody has looked: `squares` and `hands`. */
let positions = [];

const board = new Board($("#board"), { onsquare: () => {} });
// A click must not take the arrow keys from the game to the squares.
$("#board").addEventListener("mousedown", (event) => event.preventDefault());

function position(ply) {
  for (let next = positions.length; next <= ply; next++) {
    const { set, hands } = data.games[number].moves[next - 1];
    const before = positions[next - 1];
    const squares = new Map(before.squares);
    for (const [square, token] of set) {
      if (token === null) squares.delete(square);
      else squares.set(square, token);
    }
    positions.push({ squares, hands: hands ?? before.hands });
  }
  return positions[ply];
}

function open(game, scroll) {
  number = game;
  const { start, players, ending, detail } = data.games[game];
  const setup = start ?? data.game.setup;
  positions = [{ squares: new Map(setup.squares), hands: setup.hands }];
  at = Math.min(data.games[game].book, data.games[game].moves.length);
  write($("#game-name"), `${nameOf(players[0])} – ${nameOf(players[1])}`);
  write($("#game-facts"), `${data.games[game].round}. ${ending}${detail ? ` (${detail})` : ""}`);
  $("#game-back").disabled = game === 0;
  $("#game-on").disabled = game === data.games.length - 1;
  moves();
  show(false);
  current();
  history.replaceState(null, "", `#game-${game + 1}`);
  if (scroll && matchMedia("(max-width: 1240px)").matches) $("#viewer").scrollIntoView({ behavior: "smooth" });
}

/** Whether Black makes a move, counted from 0. */
const isBlack = (ply) => ((data.games[number].start ?? data.game.setup).side === "b") === (ply % 2 === 0);

function moves() {
  const game = data.games[number];
  const rows = [];
  let row = null;
  game.moves.forEach((move, ply) => {
    const black = isBlack(ply);
    if (black || !row) {
      row = el("div", { class: "pair" }, el("span", { class: "number" }, `${Math.floor((ply + (isBlack(0) ? 0 : 1)) / 2) + 1}.`));
      if (!black) row.append(el("span", { class: "move none" }, "…"));
      rows.push(row);
    }
    row.append(
      el(
        "button",
        { class: "move", "data-ply": ply + 1, onclick: () => step(ply + 1) },
        el("span", { class: ply < game.book ? "book" : null }, move.text[prefs.notation()]),
        move.score && el("small", {}, scoreText(move.score)),
      ),
    );
    if (!black) row = null;
  });
  $("#moves").replaceChildren(
    el("button", { class: "start", "data-ply": 0, onclick: () => step(0) }, "Start"),
    ...rows,
    el("div", { class: "ending" }, el("b", {}, game.result), ` ${game.ending}`),
  );
}

/** Pixels of the list of moves that stay between the move shown and the edge. */
const EDGE = 30;

function show(animate) {
  const game = data.games[number];
  const move = game.moves[at - 1];
  const last = squares(move?.usi);
  const { squares: pieces, hands } = position(at);
  board.setGame(data.game, flipped);
  board.show(pieces, last, animate);
  board.mark({
    last: [last.from, last.to].filter(Boolean),
    taken: last.way,
    checked: move?.check ? [move.check] : [],
  });
  const order = flipped ? ["b", "w"] : ["w", "b"];
  [$("#far"), $("#near")].forEach((root, index) => side(root, order[index], game, hands));
  const box = $("#moves");
  box.querySelector(".now")?.classList.remove("now");
  const now = box.querySelector(`[data-ply="${at}"]`);
  now?.classList.add("now");
  const place = now.getBoundingClientRect().top - box.getBoundingClientRect().top;
  if (place < EDGE || place > box.clientHeight - 2 * EDGE) box.scrollTop += place - box.clientHeight / 2;
  if (at === game.moves.length) box.scrollTop = box.scrollHeight;
  write($("#thought"), thought(game));
  $("#step-first").disabled = $("#step-back").disabled = at === 0;
  $("#step-on").disabled = $("#step-last").disabled = at === game.moves.length;
}

/** What is recorded of the move that led here. */
function thought(game) {
  const move = game.moves[at - 1];
  if (!move) return "";
  if (at <= game.book) return `${move.text[prefs.notation()]}: opening`;
  return [
    `${move.text[prefs.notation()]}:`,
    [
      move.score && `${scoreText(move.score)} for Black`,
      move.depth !== undefined && `depth ${move.depth}`,
      move.nodes !== undefined && `${countText(move.nodes)} nodes`,
      move.ms !== undefined && `${(move.ms / 1000).toFixed(move.ms < 10000 ? 3 : 1)} s`,
    ]
      .filter(Boolean)
      .join(", "),
  ].join(" ");
}

function side(root, color, game, hands) {
  const which = color === "b" ? 0 : 1;
  const held = hands[which].map(([token, count]) => {
    const kind = board.kind(token);
    return el(
      "span",
      { class: "held", role: "img", "aria-label": `${SIDE_NAMES[color]} in hand: ${count} ${kind.name}`, title: kind.name },
      tile(kind, color, (color === "w") !== flipped),
      count > 1 && el("span", { class: "count" }, String(count)),
    );
  });
  const turn = at < game.moves.length && isBlack(at) === (color === "b");
  root.className = turn ? "side turn" : "side";
  root.replaceChildren(
    el(
      "div",
      { class: "who" },
      el("span", { class: `stone ${color}` }),
      el("span", { class: "who-name" }, `${SIDE_NAMES[color]}: ${nameOf(game.players[which])}`),
    ),
    el(
      "div",
      { class: "hand", role: "group", "aria-label": `${SIDE_NAMES[color]}'s hand` },
      held.length ? held : el("span", { class: "empty-hand" }, "no pieces in hand"),
    ),
  );
}

function step(to) {
  const next = Math.max(0, Math.min(to, data.games[number].moves.length));
  const animate = next === at + 1;
  at = next;
  show(animate);
}

function turn() {
  flipped = !flipped;
  show(false);
}

function neighbour(by) {
  const next = number + by;
  if (next >= 0 && next < data.games.length) open(next, false);
}

const ACTS = {
  ArrowLeft: () => step(at - 1),
  ArrowRight: () => step(at + 1),
  Home: () => step(0),
  End: () => step(Infinity),
  f: turn,
  n: () => neighbour(1),
  p: () => neighbour(-1),
};

function begin() {
  applyTheme();
  document.body.append(symbols());
  drawIcons(document);
  write($("#facts"), data.facts);
  standings();
  list();
  if (data.games.length === 0) {
    $("#viewer").hidden = true;
    return;
  }
  for (const [id, act] of [
    ["step-first", ACTS.Home],
    ["step-back", ACTS.ArrowLeft],
    ["step-on", ACTS.ArrowRight],
    ["step-last", ACTS.End],
    ["turn-board", turn],
    ["game-back", ACTS.p],
    ["game-on", ACTS.n],
  ])
    $(`#${id}`).addEventListener("click", act);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target instanceof Element && event.target.matches("input, select, textarea")) return;
    const act = ACTS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  $("#squares").value = prefs.get("coordinates");
  $("#squares").addEventListener("change", (event) => {
    prefs.set("coordinates", event.target.value);
    moves();
    show(false);
  });
  const wanted = Number(/^#game-(\d+)$/.exec(location.hash)?.[1]);
  open(wanted >= 1 && wanted <= data.games.length ? wanted - 1 : data.games.length - 1, false);
}

begin();
