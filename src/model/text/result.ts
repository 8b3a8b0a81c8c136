/** The answer of a parser that expects bad input: the canonical value, or why not as the end of a sentence. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly msg: string; readonly type: string }

export const accept = <T>(value: T): Parsed<T> => ({ ok: true, value })
export const refuse = (type: string, msg: string): Parsed<never> => ({ ok: false, type, msg })
