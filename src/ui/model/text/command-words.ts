/** The press of a rehearsed call as a line for a terminal. Pure. */

const VERBS = new Map([
  ['activate', 'on'],
  ['deactivate', 'off'],
  ['disable', 'disable'],
])

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: object
}

/** With the hash of the plan that was read; null where no command does exactly this. */
export function commandOf({ method, path, body }: Call, hash: string): string | null {
  const [, id, act] = /^\/api\/domains\/(\d+)(?:\/(\w+))?$/.exec(path) ?? []
  if (id === undefined || body !== undefined) return null
  const verb =
    method === 'DELETE' && act === undefined ? 'rm' : method === 'POST' ? VERBS.get(act ?? '') : undefined
  return verb === undefined ? null : `plumbline ${verb} ${id} --confirm ${hash}`
}
