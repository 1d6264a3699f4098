/*
 * Stands between a module and all that calls into it.
 *
 * An exception that leaves the module has left it broken: a trap (a panic is one), a stack that is used up, or an exception
 * of the page's own that went through it. Whoever has asked hears of the first one, and from then on nothing goes in.
 */

let tell = () => {};
let isBroken = false;

/** Calls `report` with a message, should the module ever break. */
export const onCrash = (report) => {
  tell = report;
};

/** A function of the module, guarded. */
export const guard = (call) => (...given) => {
  if (isBroken) return undefined;
  try {
    return call(...given);
  } catch (error) {
    if (!isBroken) {
      isBroken = true;
      tell(`the module crashed: ${error}`);
    }
    throw error;
  }
};

/** A module's exports, guarded. Each is made as it is asked for: most never are. */
export const guarded = (exports) => new Proxy({}, {
  get: (made, name) => (made[name] ??= typeof exports[name] === "function" ? guard(exports[name]) : exports[name]),
});
