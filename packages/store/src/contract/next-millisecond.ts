/** Times in a log are in milliseconds: what comes in the same one has no order in a list. */
export async function nextMillisecond(): Promise<void> {
  for (const start = Date.now(); Date.now() === start; ) await new Promise(setImmediate)
}
