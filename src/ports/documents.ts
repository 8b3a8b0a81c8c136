/**
 * Small structured documents that people write by hand: estates, middleware catalogues, Traefik's dynamic files.
 *
 * Contract. Both calls are synchronous and pure: same text, same answer. `read` never throws, whatever the text holds;
 * its work is linear in the text's length, so a size limit is a time limit. Mappings come back as objects without a
 * prototype, so a key such as `__proto__` is data. What `write` gives, `read` gives back.
 */
export type DocumentData =
  | null
  | boolean
  | number
  | string
  | readonly DocumentData[]
  | { readonly [key: string]: DocumentData }

export type DocumentRead =
  | { readonly ok: true; readonly data: DocumentData }
  /** `line` counts from 1 and is null where the whole text is at fault; `msg` is the end of a sentence. */
  | { readonly ok: false; readonly line: number | null; readonly msg: string }

export interface ReadOptions {
  /** Longest text in bytes of UTF-8. 256 KiB when left out; never more than `MAX_IMPORT_BYTES`. */
  readonly max_bytes?: number
  /**
   * `typed` (when left out): null, true, false, and numbers that are written in their one usual form; any other scalar
   * is text, so that `010` or `1_000` is refused by a field's grammar instead of being guessed at.
   * `text`: every scalar but null is its source text, for readers that have their own idea of types, as Traefik has.
   */
  readonly scalars?: 'typed' | 'text'
  /**
   * Who else reads the text. `go`: a program in Go (Authelia, Traefik), and what its reader refuses is refused here, too,
   * although our own parser would take it.
   */
  readonly reader?: 'any' | 'go'
}

export interface Documents {
  /** One document. An empty text, or one of comments only, is null. */
  read(text: string, options?: ReadOptions): DocumentRead
  /**
   * Readable text that older readers of the format understand alike; keys stay in the order given. Numbers must be safe
   * integers; half a surrogate pair becomes U+FFFD. Throws a Failure (`internal`) for anything else.
   */
  write(data: DocumentData): string
}

/**
 * The same reading of texts that may be large, with the event loop free for others meanwhile. Rejects with the signal's
 * reason when it aborts, and with a Failure (`component_unavailable`) where nobody could read it, which says nothing of the
 * text.
 */
export type ReadAside = (text: string, options: ReadOptions, signal: AbortSignal) => Promise<DocumentRead>

export const MAX_DOCUMENT_BYTES = 256 * 1024
/** For files that a person names on a command line: reading this much takes seconds, so a daemon must not. */
export const MAX_IMPORT_BYTES = 4 * 1024 * 1024
export const DEEPEST_NESTING = 64
