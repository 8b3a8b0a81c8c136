/** The alert rules in `fixtures/prometheus`: promtool takes them, each is tried, and what they ask for is in /metrics. */
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { DRIFT_CAUSES } from '../../src/model/drift.ts'
import { ALERT_KINDS } from '../../src/model/alert.ts'
import { describePeers } from '../peers/peers.ts'
import { PROMETHEUS_PROGRAMS, promtool } from '../peers/prometheus.ts'
import { createActive, openTestHouse } from './test-house.ts'
import { sample } from '../kit/tier.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const FOLDER = fileURLToPath(new URL('../../fixtures/prometheus/', import.meta.url))
const RULES = join(FOLDER, 'alerts.yml')
const TRIALS = readdirSync(FOLDER).filter((name) => name.endsWith('.test.yml'))

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}
interface Rules {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[]
}

const { groups } = parse(readFileSync(RULES, 'utf8')) as Rules
const rules = groups.flatMap((group) => group.rules)

describe('an alert', () => {
  it.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s says when, how bad and what helps',
    (_name, rule) => {
      expect(rule.for).toMatch(/^\d+[mh]$/)
      expect(rule.labels['severity']).toMatch(/^(?:info|warning|critical)$/)
      expect(rule.annotations['summary']).toBeTruthy()
      expect(rule.annotations['description']).toBeTruthy()
    },
  )

  it.each([
    ['kind', ALERT_KINDS],
    ['cause', DRIFT_CAUSES],
  ] as const)('asks for no %s that we do not know', (label, known) => {
    const asked = rules.flatMap(({ expr }) =>
      [...expr.matchAll(new RegExp(`\\b${label}[=!]~?"([^"]*)"`, 'g'))].flatMap(([, text]) =>
        text!.split('|'),
      ),
    )
    expect(asked.length).toBeGreaterThan(0)
    expect(known).toEqual(expect.arrayContaining(asked))
  })
})

it('every metric that an alert asks for is in /metrics', async () => {
  await using at = await openTestHouse({ opened: false })
  await createActive(at.call)
  const text = (await at.call('GET', '/metrics')).body as unknown as string
  const served = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  const asked = rules.flatMap(({ expr }) => expr.match(/\bplumbline_\w+/g) ?? [])
  expect(asked.length).toBeGreaterThan(10)
  expect([...new Set(asked)].filter((name) => !served.has(name))).toEqual([])
  for (const kind of ALERT_KINDS)
    expect(text).toMatch(new RegExp(`^plumbline_open_troubles\\{kind="${kind}"\\} 0$`, 'm'))
  expect(text).toMatch(/^plumbline_component_unknown\{component="routes"\} 0$/m)
})

describePeers(PROMETHEUS_PROGRAMS, 'promtool', () => {
  it('takes the rules', async () => {
    expect(await promtool(['check', 'rules', RULES])).toMatchObject({
      code: 0,
      output: expect.stringContaining(`${rules.length} rules found`) as string,
    })
  })

  itOneIn(2).each(TRIALS)('sees every alert of %s fire when it should, and only then', async (trial) => {
    const { code, output } = await promtool(['test', 'rules', join(FOLDER, trial)])
    expect(code, output).toBe(0)
  })

  itInDepth(
    'misses every single rule that is taken away',
    async () => {
      const folder = newFolder('alerts')
      for (const trial of TRIALS) copyFileSync(join(FOLDER, trial), join(folder, trial))
      const paths = TRIALS.map((trial) => join(folder, trial))
      for (const { alert } of sample(rules, 18)) {
        const left = groups.map(({ name, rules: of }) => ({
          name,
          rules: of.filter((rule) => rule.alert !== alert),
        }))
        writeFileSync(join(folder, 'alerts.yml'), stringify({ groups: left }))
        const { code, output } = await promtool(['test', 'rules', ...paths])
        expect(code, `without ${alert}`).toBe(1)
        expect(output).toContain(alert)
      }
    },
    400_000,
  )
})
