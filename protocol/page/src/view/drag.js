// A tile that follows the pointer.

/** Pixels a pointer moves before a press is a drag. */
const SLACK = 6;

/**
 * Follows the pointer of a press that holds a tile. Over squares of `board` other than `origin` it marks them; `drop`
 * is called with the one on which the pointer is let go, `stay` if it was let go where it was.
 */
export function follow({ target, pointerId, clientX, clientY }, board, origin, { drop, stay }) {
  const source = target.closest(".cell, .held")?.querySelector(".tile");
  if (!source) return stay();
  let ghost = null;
  const lift = () => {
    ghost = source.cloneNode(true);
    ghost.classList.add("ghost");
    ghost.style.width = `${Math.max(source.getBoundingClientRect().width, 36)}px`;
    document.body.append(ghost);
    source.classList.add("lifted");
  };
  const move = (to) => {
    if (to.pointerId !== pointerId) return;
    if (!ghost && Math.hypot(to.clientX - clientX, to.clientY - clientY) > SLACK) lift();
    if (!ghost) return;
    ghost.style.left = `${to.clientX}px`;
    ghost.style.top = `${to.clientY}px`;
    const over = board.squareAt(to.clientX, to.clientY);
    for (const [name, cell] of board.cells) cell.classList.toggle("over", name === over && name !== origin);
  };
  const ends = ["pointerup", "pointercancel"];
  const end = (to) => {
    if (to.pointerId !== pointerId) return;
    removeEventListener("pointermove", move);
    for (const name of ends) removeEventListener(name, end);
    source.classList.remove("lifted");
    for (const cell of board.cells.values()) cell.classList.remove("over");
    if (!ghost) return stay();
    ghost.remove();
    const over = board.squareAt(to.clientX, to.clientY);
    if (to.type === "pointerup" && over && over !== origin) drop(over);
  };
  addEventListener("pointermove", move);
  for (const name of ends) addEventListener(name, end);
}
