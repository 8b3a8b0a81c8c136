/** Why a YAML text is refused, as an exception on the way out of the reader; it never leaves this folder. */
export class YamlFault extends Error {
  /** Characters from the start of the text, or null where the whole text is at fault. */
  readonly offset: number | null

  constructor(offset: number | null, msg: string) {
    super(msg)
    this.name = 'YamlFault'
    this.offset = offset
  }
}

/** The line, counted from 1, in which a character stands; what is missing at the end is missed on the last line. */
export function lineAt(text: string, offset: number): number {
  const end = Math.min(offset, text.trimEnd().length)
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) line++
  return line
}
