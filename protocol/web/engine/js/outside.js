// What the WebAssembly module asks of the worker that it runs in; `search.js` says what is done.

/**
 * @type {{
 *   listen(): void, wait(): void, say(line: string, told?: string): void, fail(message: string): void, read(name: string): Uint8Array,
 * }}
 */
export const worker = { listen() {}, wait() {}, say() {}, fail() {}, read: () => new Uint8Array() };

export const now = () => performance.now();
export const listen = () => worker.listen();
export const wait = () => worker.wait();
export const say = (line, told) => worker.say(line, told);
export const fail = (message) => worker.fail(message);
export const book = (game) => worker.read(`${game}.book`);
