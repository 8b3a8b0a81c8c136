/**
 * The file provider: it looks at its file or folder at every question, as a proxy that watches it; what it refuses is a line
 * in its log, and the last good configuration stays. After the first configuration others come at most once a throttle.
 */
import type { Configuration } from '../decode/decode.ts'
import type { Environment } from '../decode/template.ts'
import { readFiles } from './read-files.ts'
import { stampOf } from './stamp.ts'

export interface FileProvider {
  /** Reads this file or folder from now on. */
  readonly follow: (path: string) => void
  readonly refuse: (when: (text: string) => boolean) => void
  readonly stopWatching: () => void
  /** Nothing is known after it but what can be read then. */
  restart(): void
  /** What it has to say now; another object whenever that has changed. */
  current(): Configuration
}

export interface FileProviderOptions {
  readonly environment: Environment
  readonly throttle_ms: number
  readonly now: () => number
  readonly log: (line: string) => void
}

const NOTHING: Configuration = {}

export function fileProvider(options: FileProviderOptions): FileProvider {
  const { throttle_ms, now, log } = options
  let path: string | null = null
  let watching = true
  let seen: string | null = null
  let refuses: (text: string) => boolean = () => false
  let current = NOTHING
  let pending: Configuration | null = null
  let applied_at = Number.NEGATIVE_INFINITY

  const look = () => {
    if (path === null) return
    const stamp = stampOf(path)
    if (stamp === seen) return
    seen = stamp
    try {
      pending = readFiles(path, { environment: options.environment, log, refuses })
    } catch (error) {
      log(`error occurred during watcher callback: ${(error as Error).message}`)
    }
  }
  const apply = () => {
    if (pending === null || now() - applied_at < throttle_ms) return
    // Equal configurations are dropped.
    if (JSON.stringify(pending) !== JSON.stringify(current)) {
      current = pending
      applied_at = now()
    }
    pending = null
  }
  return {
    follow(followed) {
      path = followed
      seen = null
      look()
      apply()
    },
    refuse: (when) => void (refuses = when),
    stopWatching: () => void (watching = false),
    restart() {
      watching = true
      seen = null
      pending = null
      current = NOTHING
      applied_at = Number.NEGATIVE_INFINITY
      look()
      apply()
    },
    current() {
      if (watching) look()
      apply()
      return current
    },
  }
}
