/** What the process that resolves names says of them, whole or cut: a name with thousands of addresses ends no run. */
import { expect, it } from 'vitest'
import { resolvedIn } from '../../../src/features/external-check/probes/resolve.ts'

const line = (name: string, code: string | null, addresses: readonly string[]) =>
  `found ${JSON.stringify([name, code, addresses])}\n`
const many = Array.from({ length: 3000 }, (_, i) => `2001:db8:1111:2222:3333:4444:5555:${i.toString(16)}`)
const NAMES = ['small.example.com', 'huge.example.com', 'gone.example.com']

it('an answer that was cut is no answer for its name, and those of others count', () => {
  const said = `${line(NAMES[0]!, null, ['192.0.2.1'])}${line(NAMES[2]!, 'ENOTFOUND', [])}${line(NAMES[1]!, null, many)}`
  expect(resolvedIn(said.slice(0, 64 * 1024), NAMES)).toEqual({
    'small.example.com': { ok: true, addresses: ['192.0.2.1'] },
    'huge.example.com': { ok: false, why: 'was not resolved within 3 s' },
    'gone.example.com': { ok: false, why: 'does not resolve' },
  })
})

it('of many addresses the first few are looked at', () => {
  const resolved = resolvedIn(line(NAMES[1]!, null, many), NAMES.slice(1, 2))
  expect(resolved).toEqual({ 'huge.example.com': { ok: true, addresses: many.slice(0, 4) } })
})
