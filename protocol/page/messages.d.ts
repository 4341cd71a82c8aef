// What page and driver say to each other, for the type check of the page: `Command`, `Message` and `NewGame` of
// `message.rs` in `kujira-table`, and what the driver tells of the games. Nothing of it is served. The tests of
// `kujira-table` hold each type and the one in Rust against each other.

declare namespace Wire {
  type Side = "b" | "w";
  type Role = "player" | "analyst";
  type Player = { kind: "human" } | { kind: "engine"; level: number };
  type Rules = { retreat_two: boolean; retreat_file_limit: boolean; impasse: boolean; repetition: boolean };
  /** Milliseconds. */
  type TimeControl = { main: number; increment: number; byoyomi: number };
  /** As Black sees it: centipawns, or plies to mate, below zero where Black is mated. */
  type Score = { cp: number; mate?: undefined } | { mate: number; cp?: undefined };
  type Draft = {
    variant: string;
    squares: Record<string, string>;
    /** What each side holds, Black first. */
    hands: Record<string, number>[];
    side: Side;
    rules: Rules;
  };

  /** What the page asks for in a game. */
  type Command =
    | { type: "play"; at: number; usi: string }
    | { type: "again"; at: number }
    | { type: "goto" | "promote" | "delete"; node: number }
    | { type: "take_back" | "bring_back" | "pause" | "resume" | "draw" | "claim" | "move_now" | "hint" | "state" | "ping" }
    | { type: "resign"; side: Side }
    | { type: "pace"; millis: number }
    | { type: "players"; players: Player[] }
    | { type: "resources"; threads: number; hash: number }
    | { type: "analysis"; on: boolean; lines: number }
    | { type: "seen"; seen: boolean }
    | { type: "sweep" | "coach"; on: boolean }
    | { type: "consider"; at: number; usi: string }
    | { type: "restart"; role: Role }
    | { type: "export"; format: "usi" | "pgn"; date: string }
    | { type: "explain"; at: number; from: string | null; drop: string | null; to: string }
    | { type: "attacks"; at: number }
    | { type: "check"; draft: Draft };

  /** The squares that Black and White attack, and those of pieces that are attacked and not protected. */
  type Attacks = { at: number; attacked: [string[], string[]]; hanging: string[] };

  /** A new game, as the page asks for it. */
  type NewGame = {
    variant: string;
    handicap?: string | null;
    sfen?: string | null;
    text?: string | null;
    rules?: Rules;
    players: Player[];
    time?: TimeControl | null;
    playing?: boolean;
    /** Nobody keeps it: it is gone when nobody looks on any more. */
    fleeting?: boolean;
  };

  /** A legal move, as squares to click. */
  type LegalMove = {
    usi: string;
    from?: string;
    drop?: string;
    way?: string[];
    to: string;
    promotes?: boolean;
    captures?: boolean;
  };

  /** Pairs of square and token, upper case for Black; what each side holds, Black first; who is to move. */
  type Placement = { squares: [string, string][]; hands: [string, number][][]; side: Side };

  type Position = Placement & {
    sfen: string;
    ply: number;
    checked: string | null;
    legal: LegalMove[];
    /** How the game would end if the side to move claimed impasse, if it may. */
    impasse: Ending | null;
  };

  /** How a game ended: who won, unless it is a draw, and the name of the reason. */
  type Ending = { winner: Side | null; reason: string };

  /** What a move does: the token of what moves, those of what it captures, whether it promotes and gives check. */
  type Spoken = { kind: string; taken: string[]; promotes: boolean; check: boolean };

  /** A move of the game; number 0 is the start. */
  type GameNode = {
    id: number;
    parent: number | null;
    children: number[];
    usi: string;
    /** In Japanese and Western squares. */
    text: [string, string];
    /** None at the start. */
    spoken?: Spoken;
    side: Side;
    ply: number;
    ending?: Ending;
    result?: "1-0" | "0-1" | "1/2-1/2";
    /** What an engine thought, and its depth. */
    score?: [Score, number];
  };

  /** What is wrong with a move: the white whale is lost, or a piece, or it is only seen that much is; and how it goes on. */
  type Warning = {
    mate?: boolean;
    /** Where it stands after the move, unless it is yet to be dropped, and whether it is taken later than at once. */
    piece?: { token: string; square?: string; later?: boolean };
    line: string[];
  };

  /** A move that lost much: the chances of its side before and after it, in per cent, and what was better. */
  type Moment = {
    node: number;
    judgement: string;
    before: number;
    after: number;
    better?: { usi: string; text: [string, string] };
  };

  type Engine = { state: string; name: string; message?: string; refusal?: string };

  /** Who plays, where the game stands, what engines do: what every page is told with every change. */
  type Situation = {
    players: Player[];
    /** What is left, Black's first: no byoyomi where the time has run out. */
    clocks: { left: number[]; byoyomi: number[]; running: Side | null } | null;
    tip: number;
    playing: boolean;
    /** Whether moves were taken back that can be brought back. */
    taken: boolean;
    player: Engine;
    analyst: Engine;
    analysis: number | null;
    sweep: [number, number] | null;
    /** The moves that decided the game, in the order of play, once a review has looked at every position. */
    moments: Moment[] | null;
    hint: [number, string] | null;
    /** What the coach sees where the game stands, once it has looked. */
    coach: { node: number; threat?: Warning } | null;
    threads: number;
    hash: number;
    /** Why what is shown could not be saved, while it could not. */
    unsaved: string | null;
  };

  /** All there is to show: the first message of a game, and the answer to the command `state`. */
  type State = Situation & {
    type: "state";
    id: string;
    variant: string;
    handicap: string | null;
    /** The SFEN that the game began with. */
    start: string;
    rules: Rules;
    time: TimeControl | null;
    nodes: GameNode[];
    /** The node that this page shows; others show what they like. */
    current: number;
    position: Position;
    /** Whether somebody at the board may move there. */
    movable: boolean;
  };

  /** What has changed since the last state or change; taken in twice it does no harm. */
  type Change = Situation & {
    type: "change";
    /** The moves that are new or not as they were, parents before children. */
    nodes: GameNode[];
    removed: number[];
    /** The node that this page shows and its position, where it is another. */
    current?: number;
    position?: Position;
    movable: boolean;
  };

  type Line = {
    depth: number;
    seldepth: number | null;
    score: Score;
    bound: boolean;
    usi: string[];
    text: [string, string][];
  };

  type Lines = {
    type: "lines";
    role: Role;
    node: number;
    nodes: number | null;
    nps: number | null;
    time: number | null;
    hashfull: number | null;
    lines: Line[];
  };

  type Text = { type: "text"; format: string; text: string };
  type Verdict = { type: "verdict"; sfen: string | null; reasons: string[] };

  /** Why a move is not legal: the token of the piece, and the square that is spoken of. */
  type Why = { reason: string; kind?: string; square?: string };

  /** What the page is told. */
  type Message =
    | State
    | Change
    | Lines
    | Text
    | Verdict
    | ({ type: "attacks" } & Attacks)
    | { type: "considered"; at: number; usi: string; warning?: Warning; reply?: string }
    | { type: "explanation"; text: string | null; why: Why | null }
    | { type: "error" | "notice"; text: string }
    | { type: "gone"; why: string; text: string }
    | { type: "pong" };

  type Kind = {
    token: string;
    written: string;
    name: string;
    class: string;
    pawn: boolean;
    promoted: boolean;
    promotes_to?: string;
    /** The token in its captor's hand; none for the white whale. */
    in_hand?: string;
    material: number;
    diagrams: { radius: number; farthest: boolean; note?: string; marks: [number, number, string][] }[];
  };

  type Game = {
    id: string;
    name: string;
    files: number;
    ranks: number;
    start: string;
    setup: Placement;
    capture: boolean;
    promotion_zone: number;
    impasse: boolean;
    retreats: boolean;
    handicaps: { id: string; name: string; setup: Placement }[];
    kinds: Kind[];
    /** Squares in reading order, in Japanese and Western notation. */
    squares: [string, string][];
    /** How strong engines play, the weakest first. */
    levels: Level[];
    /** The number of the level that a new game offers first, from 1. */
    usual_level: number;
  };

  /** How strong an engine plays; `elo` is above a player who moves at random, where it is known. */
  type Level = { name: string; elo: number | null };

  type Spec = {
    games: Game[];
    /** The most that an engine may be told to use; the table in MiB. */
    most: { threads: number; hash: number };
    version: string;
  };

  /** A saved game in the list; `modified` in seconds since 1970. */
  type Saved = { id: string; modified: number } & (
    | { variant: string; players: [Player, Player]; moves: number; ending: Ending | null; unreadable?: undefined }
    | { unreadable: string }
  );

  /** What is being loaded (`loading.…` in the table of texts): bytes, and for how many seconds nothing has come, where that is long. */
  type Loading = { what: string; got: number; all: number; silent?: number };

  /** Who is told of the game that is open. */
  interface Listener {
    /** Takes a message: the first of a game is its whole state, or `gone` where it cannot be opened. */
    receive(message: Message): void;
    /** Commands arrive from now on. */
    up(): void;
    /** Commands do not arrive; the driver tries again by itself. */
    down(): void;
    /** New games last no longer than the page, and why; null: they are kept again. */
    unkept(why: string | null): void;
  }

  /**
   * What a driver must have: the class `Link` of link.js, which may tell the function that it is made with what it loads,
   * and null where nothing is being loaded any more.
   */
  interface Driver {
    listen(listener: Listener): void;
    spec(): Promise<Spec>;
    list(): Promise<Saved[]>;
    /** A refusal whose `why` is `crowded` says that as many are saved as there can be. */
    create(newGame: NewGame): Promise<{ id: string; notice?: string }>;
    /** The games that cannot be played against the engine now, until there is a network: of drivers that need none. */
    lacking?(): Promise<string[]>;
    /** What the file of a game's puzzles holds: whoever asks sees whether it is one. */
    puzzles(game: string): Promise<unknown>;
    /** What the file of a game's openings holds. */
    openings(game: string): Promise<unknown>;
    /** What the file of a game's course holds. */
    course(game: string): Promise<unknown>;
    remove(id: string): Promise<unknown>;
    /** All games as one text, and the way back: of drivers whose games nobody else can copy. */
    exportGames?(): Promise<string>;
    importGames?(text: string): Promise<{ added: number; known: number }>;
    open(id: string): void;
    /** Closes the game that is open, if one is. */
    close(): void;
    send(command: Command): boolean;
  }
}
