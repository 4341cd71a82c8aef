// A press from its beginning to its end, and the tile that follows the pointer meanwhile.

/** Pixels a pointer moves before a press is a drag. */
const SLACK = 6;

/** The pointer that is followed, and how that is ended: others do nothing meanwhile. */
let owner = null;

/**
 * Whether another pointer is followed. One whose end nobody has told of is not any more: the same, or another first
 * finger, cannot be pressed before.
 */
export const owned = ({ pointerId, pointerType, isPrimary }) =>
  owner !== null && owner.pointerId !== pointerId && !(isPrimary && owner.pointerType === pointerType);

/**
 * Follows the pointer of a press. `tile` is what it carries, or null: squares of `board` other than `origin` are marked
 * while it is over them. `stay` is called if it was let go where it was, `drop` with the square on which something
 * carried was let go. Whoever leaves `origin` and comes back wants neither.
 */
export function follow({ pointerId, pointerType, clientX, clientY }, board, { origin, tile, drop, stay }) {
  owner?.end(owner);
  let ghost = null;
  let moved = false;
  let left = false;
  const lift = () => {
    ghost = tile.cloneNode(true);
    ghost.classList.add("ghost");
    ghost.style.width = `${Math.max(tile.getBoundingClientRect().width, 36)}px`;
    document.body.append(ghost);
    tile.classList.add("lifted");
  };
  const move = (to) => {
    if (to.pointerId !== pointerId) return;
    if (!moved && Math.hypot(to.clientX - clientX, to.clientY - clientY) <= SLACK) return;
    moved = true;
    const over = board.squareAt(to.clientX, to.clientY);
    if (over !== origin) left = true;
    if (!tile) return;
    if (!ghost) lift();
    ghost.style.left = `${to.clientX}px`;
    ghost.style.top = `${to.clientY}px`;
    for (const [name, cell] of board.cells) cell.classList.toggle("over", name === over && name !== origin);
  };
  const ends = ["pointerup", "pointercancel"];
  const end = (to) => {
    if (to.pointerId !== pointerId) return;
    removeEventListener("pointermove", move);
    for (const name of ends) removeEventListener(name, end);
    owner = null;
    tile?.classList.remove("lifted");
    ghost?.remove();
    for (const cell of board.cells.values()) cell.classList.remove("over");
    if (to.type !== "pointerup") return;
    const over = moved ? board.squareAt(to.clientX, to.clientY) : origin;
    if (over === origin) return left ? undefined : stay();
    if (ghost && over) drop(over);
  };
  addEventListener("pointermove", move);
  for (const name of ends) addEventListener(name, end);
  owner = { pointerId, pointerType, end };
}
