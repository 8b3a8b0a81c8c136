/** The other configuration files in the folder that the proxy watches. They are somebody else's: read, and never touched. */
import type { FileEvaluation } from '../../../ports/proxy-files.ts'
import type { FileRoutes } from '../traefik/port.ts'

/**
 * Contract: reads only, bounded; throws a Failure (`component_unavailable`) where the folder itself cannot be read.
 */
export interface Neighbours {
  readonly folder: string
  /** Why nobody but root gets into the folder, with what would help; null where they do. */
  folderFault(): Promise<string | null>
  list(signal: AbortSignal): Promise<NeighbourList>
}

/** A certificate that another file names to the proxy. */
export interface BroughtCertificate {
  readonly file: string
  /** The certificate first, then its chain. */
  readonly pem: string
}

export interface NeighbourList {
  /** Ordered by path. */
  readonly found: readonly Neighbour[]
  /** How many further ones nobody has looked at, because there are more than a folder like this can have. */
  readonly beyond: number
}

export interface Neighbour {
  readonly file: string
  /** Null where it cannot be read here. */
  readonly text: string | null
  /** Its bytes are no UTF-8, so the text is not what it holds; else left out. */
  readonly not_utf8?: true
  /** In bytes, where it is larger than what is read; else left out. */
  readonly too_large?: number
  readonly mode: number
}

/** With its routers, where the proxy takes it. */
export type EvaluatedFile =
  | (Extract<FileEvaluation, { kind: 'taken' }> & { readonly routes: FileRoutes })
  | Exclude<FileEvaluation, { kind: 'taken' }>
