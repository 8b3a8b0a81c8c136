/** Configurations as people write them, beside the answers that they lead to. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dnsmasqConfig } from '../../../../src/features/dns/resolver/dnsmasq/config.ts'
import { hostsConfig } from '../../../../src/features/dns/resolver/hosts/config.ts'
import { unboundConfig } from '../../../../src/features/dns/resolver/unbound/config.ts'
import type { ManagedType } from '../../../../src/model/network/dns.ts'
import { resolverAnswers } from '../../../../src/model/resolver.ts'
import type { ResolverAnswer } from '../../../../src/model/resolver/view.ts'

const FOLDER = join(import.meta.dirname, '../../../../fixtures/resolvers')

const CASES = [
  ['dnsmasq', 'dnsmasq.conf', dnsmasqConfig],
  ['unbound', 'unbound.conf', unboundConfig],
  ['hosts', 'hosts', hostsConfig],
] as const

type Row = readonly [string, ManagedType, ResolverAnswer['kind'], (readonly string[])?, (readonly string[])?]

describe.each(CASES)('%s', (folder, file, open) => {
  const { gaps, answers } = JSON.parse(readFileSync(join(FOLDER, folder, 'questions.json'), 'utf8')) as {
    gaps: number
    answers: readonly Row[]
  }

  it('answers as the fixture says', async () => {
    const read = await open(join(FOLDER, folder, file)).read(AbortSignal.timeout(60_000))
    if (!read.ok) throw new Error(read.detail)
    const answerOf = resolverAnswers(read.view)
    const answered = answers.map(([name, type]): Row => {
      const answer = answerOf(name, type)
      const values = 'values' in answer ? [...answer.values].sort() : []
      const via = 'via' in answer ? answer.via : []
      return [name, type, answer.kind, values, via]
    })
    expect(answered).toEqual(
      answers.map(([name, type, kind, v = [], via = []]) => [name, type, kind, v, via]),
    )
    expect(read.gaps).toHaveLength(gaps)
    expect(read.view.overrides.every(({ source }) => source === 'default' || /:\d+$/.test(source))).toBe(true)
  })

  it('says what is the matter when the file is not there', async () => {
    const path = join(FOLDER, folder, 'absent')
    const read = await open(path).read(AbortSignal.timeout(60_000))
    expect(read).toMatchObject({ ok: false, reason: 'unreadable' })
    expect(read.ok ? '' : read.detail).toContain(path)
  })
})
