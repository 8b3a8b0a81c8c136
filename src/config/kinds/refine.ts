/** The bridge from "text to value, or what is wrong with it" to a zod schema. */
import { z } from 'zod'

/** What is wrong with a text, as the end of a sentence: `must be …`. */
export class Wrong {
  readonly msg: string

  constructor(msg: string) {
    this.msg = msg
  }
}

export const wrong = (msg: string): Wrong => new Wrong(msg)

/** A schema from a parser that answers the value or what is wrong. */
export const textual = <T>(parse: (text: string) => T | Wrong): z.ZodType<T, string> =>
  z.string().transform((text, context) => {
    const value = parse(text)
    if (!(value instanceof Wrong)) return value
    context.addIssue({ code: 'custom', message: value.msg })
    return z.NEVER
  })

const MAX_ENTRIES = 200

/** A comma-separated list of distinct entries; blanks around them do not count. The first wrong entry is named. */
export const listOf = <T>(parse: (text: string) => T | Wrong): z.ZodType<readonly T[], string> =>
  textual((text) => {
    const entries = [...new Set(text.split(',').map((entry) => entry.trim()))].filter((entry) => entry !== '')
    if (entries.length > MAX_ENTRIES) return wrong(`must have at most ${MAX_ENTRIES} entries`)
    const values: T[] = []
    for (const entry of entries) {
      const value = parse(entry)
      if (value instanceof Wrong) return wrong(`has the entry "${withoutUser(entry)}", which ${value.msg}`)
      values.push(value)
    }
    return values
  })

/** A URL with a password in it is refused, and what is refused lands in logs. */
export const withoutUser = (entry: string): string => entry.replace(/:\/\/.*@/s, '://…@')
