/** One part of the world around the daemon, as `plumbline doctor` looks at it. What is not set up has no findings. */
import type { Finding } from '../cli/verb.ts'
import type { LoadedConfig } from '../config/load.ts'

/** The moments of an examination, in their order. Each look has its own deadline; one that fails is a finding. */
export interface World {
  /** What can be seen without the daemon: files, folders, servers. */
  readonly beside?: (config: LoadedConfig) => Promise<readonly Finding[]>
  /** What takes the daemon's records. Only where there is a database. May throw what `ask` throws: that is told for it. */
  readonly asked?: (ask: Ask, config: LoadedConfig) => Promise<readonly Finding[]>
  /** What is read of the database itself when nobody is asked any more. Only where there is one. */
  readonly afterwards?: (config: LoadedConfig) => Promise<readonly Finding[]>
}

/**
 * The good answer of the API to a GET: nothing else can be asked, since doctor changes nothing. Throws a Failure with the
 * detail of a problem answer, or when nobody answers.
 * @param path with query, such as `/api/sso/drift`
 */
export type Ask = <T>(path: string) => Promise<T>
