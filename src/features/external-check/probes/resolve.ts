/**
 * Names by the system's resolver, as any program here would get them. Asked in a process of its own: a resolver that does not
 * answer cannot be left, and would keep this one from its end.
 */
import { runCommand } from '../../../kernel/run-command.ts'
import type { Resolved } from './port.ts'

const MAX_MS = 3000
const MAX_ADDRESSES = 4
/** What a process says is cut after a while, and a name may have thousands. */
const MAX_SAID = 16

/** Each name's answer as soon as it is there. */
const SCRIPT = `for (const name of process.argv.slice(1))
  require('node:dns').lookup(name, { all: true }, (error, found) =>
    console.log('found ' + JSON.stringify([name, error ? error.code : null, (found ?? []).slice(0, ${MAX_SAID}).map((one) => one.address)])))`

const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'does not resolve',
  EAI_AGAIN: 'does not resolve now: the resolver does not answer',
}

export async function resolveNames(names: readonly string[], signal: AbortSignal): Promise<Resolved> {
  const ran = await runCommand([process.execPath, '-e', SCRIPT, '--', ...names], {
    max_ms: MAX_MS,
    signal,
  }).catch(() => null)
  return resolvedIn(ran?.said ?? '', names)
}

/** What the process said of the names, cut where it was too long. Pure. */
export function resolvedIn(said: string, names: readonly string[]): Resolved {
  const answers = new Map(
    said.split('\n').flatMap((line) => {
      const [name, code, addresses] = answerIn(line) ?? []
      return name === undefined ? [] : [[name, { code, addresses: addresses ?? [] }] as const]
    }),
  )
  return Object.fromEntries(
    names.map((name) => {
      const answer = answers.get(name)
      if (answer === undefined)
        return [name, { ok: false, why: `was not resolved within ${MAX_MS / 1000} s` } as const]
      const { code, addresses } = answer
      return addresses.length > 0
        ? [name, { ok: true, addresses: addresses.slice(0, MAX_ADDRESSES) } as const]
        : [
            name,
            { ok: false, why: WORDS[code ?? ''] ?? `does not resolve (${code ?? 'no address'})` } as const,
          ]
    }),
  )
}

/** Null for a line that is none, or was cut. */
function answerIn(line: string): [name: string, code: string | null, addresses: string[]] | null {
  if (!line.startsWith('found ')) return null
  try {
    return JSON.parse(line.slice(6)) as [string, string | null, string[]]
  } catch {
    return null
  }
}
