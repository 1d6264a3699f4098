/** Runs an asynchronous function with an abort signal, and fails if it takes longer than this. */
export const withTimeout = (milliseconds, run) => {
  const controller = new AbortController();
  let timer;
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(() => {
      reject(new DOMException(`no answer within ${milliseconds / 1000} seconds`, "TimeoutError"));
      controller.abort();
    }, milliseconds);
  });
  return Promise.race([timeout, run(controller.signal)]).finally(() => clearTimeout(timer));
};
