/** The 24 rules: promtool takes them, and each is silent a minute before its time and fires at it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { rulesFile } from '../../../src/features/alerting/model/rules-file.ts'
import { watchdogRules } from '../../../src/features/alerting/model/watchdog.ts'
import { JOB_ROLES, type Jobs } from '../../../src/features/alerting/model/rule.ts'
import { describePeers } from '../../peers/peers.ts'
import { promtool } from '../../peers/prometheus.ts'
import { HEALTHY, MORE, RULE_CASES, type RuleCase } from './rule-cases.ts'
import { itInDepth } from '../../kit/in-depth.ts'
import { newFolder } from '../../kit/new-folder.ts'

const JOBS = Object.fromEntries(JOB_ROLES.map((role) => [role, role])) as Record<keyof Jobs, string>
const MOUNTS = ['/', '/prometheus', '/var/lib/prometheus*']
const { groups, mark, text } = rulesFile({ jobs: JOBS, mounts: MOUNTS })
const RULES = groups.flatMap(({ rules }) => rules)

describe('the rules', () => {
  it('are as many and as severe as the specification says, and each has its case', () => {
    const counted = (severity: string) => RULES.filter((rule) => rule.severity === severity).length
    expect([RULES.length, counted('critical'), counted('high'), counted('warning')]).toEqual([24, 8, 1, 15])
    const cases = RULE_CASES.map(({ alert, severity }) => `${alert} ${severity}`)
    expect(cases.toSorted()).toEqual(RULES.map(({ alert, severity }) => `${alert} ${severity}`).toSorted())
  })

  it('are the same text for the same names, and another mark for others', () => {
    expect(rulesFile({ jobs: JOBS, mounts: MOUNTS }).text).toBe(text)
    expect(text).toContain(`rendering: "${mark}"`)
    const other = rulesFile({ jobs: { ...JOBS, traefik: 'proxy.main' }, mounts: ['/srv/a.b'] })
    expect(other.mark).not.toBe(mark)
    expect(other.text).toContain('up{job=\\"proxy.main\\"} == 0')
    expect(other.text).toContain('grafana|proxy[.]main')
    expect(other.text).toContain('mountpoint=~\\"/srv/a[.]b\\"')
  })
})

describePeers(['promtool'], 'the rules by promtool', () => {
  let folder: string
  beforeEach(() => {
    folder = newFolder('rules')
    writeFileSync(join(folder, 'rules.yml'), text)
  })

  /** JSON is YAML. */
  async function judged(tests: readonly unknown[]) {
    const path = join(folder, 'tests.yml')
    writeFileSync(path, JSON.stringify({ rule_files: ['rules.yml'], evaluation_interval: '1m', tests }))
    return promtool(['test', 'rules', path])
  }

  it('are taken without a remark', async () => {
    const { code, output } = await promtool(['check', 'rules', '--lint-fatal', join(folder, 'rules.yml')])
    expect(output).toContain(`${RULES.length} rules found`)
    expect(code).toBe(0)
    const odd = { jobs: { ...JOBS, grafana: 'a.b-c:d/e' }, mounts: ['/x-y.z*', '/'] }
    writeFileSync(join(folder, 'odd.yml'), rulesFile(odd).text)
    expect(await promtool(['check', 'rules', join(folder, 'odd.yml')])).toMatchObject({ code: 0 })
  })

  it('have the one that always fires beside them, in a file of its own', async () => {
    writeFileSync(join(folder, 'watchdog.yml'), watchdogRules())
    const { code, output } = await promtool(['check', 'rules', '--lint-fatal', join(folder, 'watchdog.yml')])
    expect([code, output]).toEqual([0, expect.stringContaining('1 rules found')])
  })

  const expected = ({ alert, severity, labels = {}, summary }: RuleCase) => {
    const rule = RULES.find((one) => one.alert === alert && one.severity === severity)!
    return {
      exp_labels: { severity, ...labels },
      exp_annotations: {
        summary,
        description: rule.description,
        ...(rule === RULES.at(-1) && { rendering: mark }),
      },
    }
  }
  /** Of the same name, those of less severity fire already. */
  const firingAt = (minute: number, { alert }: RuleCase, cases: readonly RuleCase[]) =>
    cases.filter((one) => one.alert === alert && one.fires_at <= minute).map(expected)

  const asTests = (cases: readonly RuleCase[]) =>
    cases.map((one) => ({
      interval: '1m',
      input_series: one.series.map(([series, values]) => ({ series, values })),
      alert_rule_test: [one.fires_at - 1, one.fires_at].map((minute) => ({
        eval_time: `${minute}m`,
        alertname: one.alert,
        exp_alerts: firingAt(minute, one, cases),
      })),
    }))

  itInDepth('each fires at its time, and not a minute before', async () => {
    const { code, output } = await judged(asTests(RULE_CASES))
    expect(code, output).toBe(0)
    const late = RULE_CASES.slice(0, 2).map((one) => ({ ...one, fires_at: one.fires_at + 1 }))
    const early = RULE_CASES.slice(2, 4).map((one) => ({ ...one, fires_at: one.fires_at - 1 }))
    const { output: complaints } = await judged(asTests([...late, ...early]))
    expect(complaints.match(/alertname: *\w+/g)).toHaveLength(4)
  })

  it('none fires in a healthy house at the exact limits', async () => {
    const { code, output } = await judged([
      {
        interval: '1m',
        input_series: HEALTHY.map(([series, values]) => ({ series, values })),
        alert_rule_test: [...new Set(RULES.map(({ alert }) => alert))].map((alertname) => ({
          eval_time: '40m',
          alertname,
          exp_alerts: [],
        })),
      },
    ])
    expect(code, output).toBe(0)
  })

  it.each(MORE)('$title', async ({ series, at, of, silent }) => {
    const { code, output } = await judged([
      {
        interval: '1m',
        input_series: series.map(([name, values]) => ({ series: name, values })),
        alert_rule_test: [
          { eval_time: at, alertname: of[0]!.alert, exp_alerts: silent === true ? [] : of.map(expected) },
        ],
      },
    ])
    expect(code, output).toBe(0)
  })
})
