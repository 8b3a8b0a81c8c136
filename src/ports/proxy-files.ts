/**
 * A file of the proxy's dynamic configuration, as the proxy's own reader sees it. Its decoder makes every value text before it
 * reads it by the type of its field, so a value is text here, whatever it looks like.
 */
interface Placed {
  /** Counted from 1; null where it is not known. */
  readonly line: number | null
}

export type FileNode =
  | (Placed & { readonly kind: 'null' })
  | (Placed & { readonly kind: 'text'; readonly text: string })
  /** A date without quotes, which the decoder does not take anywhere. */
  | (Placed & { readonly kind: 'time' })
  | (Placed & { readonly kind: 'list'; readonly items: readonly FileNode[] })
  | (Placed & { readonly kind: 'map'; readonly entries: ReadonlyMap<string, FileEntry> })

export interface FileEntry {
  /** Of the key. */
  readonly line: number | null
  readonly value: FileNode
}

export type FileRead =
  | { readonly ok: true; readonly root: FileNode }
  /** @see FileEvaluation */
  | { readonly ok: false; readonly refused: boolean; readonly line: number | null; readonly why: string }

/** Synchronous and pure; never throws, whatever the text holds, and its work is linear in the text's length. */
export type ReadProxyFile = (text: string) => FileRead

/** The same with the event loop free for others meanwhile. Rejects as `ReadAside` does. */
export type ReadProxyFileAside = (text: string, signal: AbortSignal) => Promise<FileRead>

/**
 * taken: the proxy reads it. refused: it takes none of the folder's files for this one. not_judged: nobody but the proxy
 * knows, as of a Go template. `why` is the end of a sentence.
 */
export type FileEvaluation =
  | { readonly kind: 'taken'; readonly names: readonly string[] }
  | { readonly kind: 'refused'; readonly line: number | null; readonly why: string }
  | { readonly kind: 'not_judged'; readonly why: string }

export interface ProxyFileEvaluator<Evaluation = FileEvaluation> {
  /** Of the proxy, as far as it is known by now: `3.7.9`. With another one a file may be judged otherwise. */
  version(): string
  /** Rejects where nobody could read it, which says nothing of the file. */
  evaluate(
    file: Readonly<{ path: string; text: string }>,
    version: string,
    signal: AbortSignal,
  ): Promise<Evaluation>
}
