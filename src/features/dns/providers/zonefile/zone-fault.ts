/** Why a zone file is refused, with its line, as an exception on the way out of the reader; it never leaves this folder. */
export class ZoneFault extends Error {
  /** Counted from 1. */
  readonly line: number

  /** @param message the end of a sentence that begins with the line */
  constructor(line: number, message: string) {
    super(message)
    this.name = 'ZoneFault'
    this.line = line
  }
}
