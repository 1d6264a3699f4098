/** Writes to the console, which the page may have replaced. */
export const log = (method, ...words) => {
  try {
    console[method](...words);
  } catch {
    // A broken console changes nothing.
  }
};
