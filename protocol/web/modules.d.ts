// What the build makes, for the type check of what stands beside it. Nothing of it is served.

declare module "*/kujira_web_board.js" {
  export default function init(what: { module_or_path: WebAssembly.Module }): Promise<unknown>;
  export function sources(): string;
  export function spec(): string;
  export function create(request: string): string;
  export function content(saved: string): string;
  export function variant(saved: string): string;
  export class Game {
    constructor(id: string, saved: string, now: number);
    join(now: number): void;
    command(command: string, now: number): void;
    started(engine: number, now: number): void;
    line(engine: number, line: string, now: number): void;
    ended(engine: number, complaint: string, now: number): void;
    kept(trouble: string | undefined, now: number): void;
    wake(now: number): void;
    close(now: number): void;
    worth_keeping(): boolean;
    next_act(): string | undefined;
  }
}

/** Bytes of the files that are loaded while somebody waits, by their names as seen from the engine's folder. */
declare const SIZES: Record<string, number>;

declare module "*/engine/browser.js" {
  export function watchFiles(who: { came(name: string, bytes: number): void; over(name: string): void }): void;
  export function compiled(name: string, address: URL, timeout?: number): Promise<WebAssembly.Module>;
  export function fetched<T>(
    name: string,
    address: URL,
    read: (answer: Response) => Promise<T>,
    timeout?: number,
  ): Promise<T>;
  export function filesOf(game: string): string[];
  export function prepare(game: string): void;
  export function usi(request: {
    say(line: string, told?: object): void;
    over?(trouble?: string): void;
    game?: string;
    sources?: string;
  }): { send(line: string): void; close(): void };
}

declare module "*/texts.js" {
  export function t(key: string, values?: Record<string, unknown>): string;
}

declare module "*/engine/controller.js" {
  export const OTHER_VERSION: string;
}

declare module "*/kujira_web_engine.js" {
  export default function init(what: { module_or_path: WebAssembly.Module }): Promise<unknown>;
  export function sources(): string;
  export function lend(game: string, network: Uint8Array): void;
  export function start(game: string): void;
  export function hear(line: string): boolean;
  export function serve(): void;
}

declare module "*/games_bg.js" {
  export class Reader {
    constructor(file: Uint8Array, format: string, game?: string);
    next(): string | undefined;
    free(): void;
  }
  export function isTold(name: string): boolean;
  export function write(lines: string, format: string, squares: string): string;
}

declare module "*/rules_bg.js" {
  export type Game = "whale" | "paulowich" | "great";
  export type Side = "black" | "white";
  export type Squares = "western" | "japanese";
  export interface PlayedGame {
    variant: Game;
    opening: string;
    moves: { usi: string }[];
  }
}
