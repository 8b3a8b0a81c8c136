/** Small changes to a text by place, and the one spelling of values that every reader of YAML understands alike. */
import { quote } from '../../../kernel/text/quoted.ts'

export interface Splice {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** An entry stands in a form that cannot be edited in place. The message is the end of a sentence. */
export class Unfit extends Error {
  readonly username: string | null

  constructor(username: string | null, msg: string) {
    super(msg)
    this.username = username
  }
}

/** Splices that do not overlap, in any order. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = text
  for (const { from, to, text: put } of splices.toSorted((a, b) => b.from - a.from))
    result = result.slice(0, from) + put + result.slice(to)
  return result
}

/** Double-quoted ASCII in our one spelling, true or false, or a flow list of these. */
export const spelled = (value: string | boolean | readonly string[]): string => {
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? quote(value) : `[${value.map(quote).join(', ')}]`
}

/** How far the place is from the start of its line. */
export const columnOf = (text: string, offset: number): number =>
  offset - (text.lastIndexOf('\n', offset - 1) + 1)

/** The line end that the text uses. */
export const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n')
