/** What stands in the box: without the name of the tool, which the question says, lest it reads as part of a command. */
export function whatRuns(tool: string, shown: string): string {
  const start = `${tool}\n`
  return shown.startsWith(start) && shown.length > start.length ? shown.slice(start.length) : shown
}
