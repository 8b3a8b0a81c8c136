/**
 * Names by the system's resolver, as any program here would get them. Asked in a process of its own: a resolver that does not
 * answer cannot be left, and would keep this one from its end.
 */
import { runCommand } from '../../../kernel/run-command.ts'
import type { Resolved } from './port.ts'

const MAX_MS = 3000
const MAX_ADDRESSES = 4

/** Each name's answer as soon as it is there. */
const SCRIPT = `for (const name of process.argv.slice(1))
  require('node:dns').lookup(name, { all: true }, (error, found) =>
    console.log('found ' + JSON.stringify([name, error ? error.code : null, (found ?? []).map((one) => one.address)])))`

const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'does not resolve',
  EAI_AGAIN: 'does not resolve now: the resolver does not answer',
}

export async function resolveNames(names: readonly string[], signal: AbortSignal): Promise<Resolved> {
  const ran = await runCommand([process.execPath, '-e', SCRIPT, '--', ...names], {
    max_ms: MAX_MS,
    signal,
  }).catch(() => null)
  const said = ran?.said ?? ''
  const answers = new Map(
    said
      .split('\n')
      .filter((line) => line.startsWith('found '))
      .map((line) => JSON.parse(line.slice(6)) as [string, string | null, string[]])
      .map(([name, code, addresses]) => [name, { code, addresses }]),
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
