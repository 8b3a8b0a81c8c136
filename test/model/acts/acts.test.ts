/** What can be done: each cause and kind has its acts, each act is a call that the API has, and says why it is not possible. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { commandFor } from '../../../src/cli/text/act-command.ts'
import {
  actsOnAlert,
  actsOnCertificate,
  actsOnDifference,
  actsOnPart,
  actsOnRecord,
} from '../../../src/model/acts/acts.ts'
import type { ActGround } from '../../../src/model/acts/ground.ts'
import { resumeAct } from '../../../src/model/acts/calls.ts'
import { ACT_IDS, type Act } from '../../../src/model/acts/act.ts'
import { ALERT_KINDS } from '../../../src/model/alert.ts'
import { DRIFT_CAUSES } from '../../../src/model/drift.ts'
import { HEALTH_REASONS } from '../../../src/model/health.ts'
import { COMPONENTS } from '../../../src/model/component.ts'
import { RECORD_STATES } from '../../../src/features/dns/views.ts'

const groundWith = (given: Partial<ActGround> = {}): ActGround => ({
  isKept: (component) => (COMPONENTS as readonly string[]).includes(component),
  mayBeIgnored: (component) => ['routes', 'dns', 'sso'].includes(component),
  suspendedBy: () => null,
  modeBefore: () => null,
  idOf: (domain) => (domain === 'app.example.com' ? 3 : undefined),
  release: 7,
  ...given,
})
const SUSPENDED: Partial<ActGround> = {
  suspendedBy: () => 'routes is suspended: work.',
  modeBefore: () => ({ scope: 'routes', why_not: null }),
}

const ids = (acts: readonly Act[]) => acts.map(({ id }) => id)

const APP = { item: 'A app.example.com', domains: ['app.example.com'] }

const everything = (): readonly Act[] =>
  [{}, SUSPENDED].flatMap((given) => {
    const ground = groundWith(given)
    return [
      ...[...COMPONENTS, 'proxy'].flatMap((component) =>
        DRIFT_CAUSES.flatMap((cause) => actsOnDifference(ground, component, { ...APP, cause })),
      ),
      ...ALERT_KINDS.flatMap((kind) =>
        ['dns', 'sso', 'mail'].flatMap((component) =>
          actsOnAlert(ground, { id: 'quarantine/3', kind, component, domains: APP.domains }),
        ),
      ),
      ...HEALTH_REASONS.flatMap((reason) =>
        DRIFT_CAUSES.flatMap((cause) =>
          actsOnPart(ground, {
            component: 'routes',
            configured: true,
            ok: false,
            reason,
            causes: { [cause]: 1 },
            details: { settings: ['PLUMBLINE_TRAEFIK_API'] },
          }),
        ),
      ),
      ...RECORD_STATES.flatMap((state) =>
        DRIFT_CAUSES.flatMap((cause) =>
          actsOnRecord(ground, {
            name: 'app.example.com',
            type: 'A',
            state,
            cause,
            domain: null,
            wanted: true,
          }),
        ),
      ),
      ...actsOnCertificate(ground, { source: 'manager', drift: null }),
    ]
  })

it('a deploy that waits is done in the mode observe, too: no other mode is offered for it', () => {
  const ground = groundWith({ modeBefore: () => ({ scope: '*', why_not: null }) })
  const offered = (cause: 'pending_deploy' | 'edited') =>
    ids(actsOnDifference(ground, 'routes', { ...APP, cause }))
  expect(offered('pending_deploy')).toContain('deploy')
  expect(offered('pending_deploy')).not.toContain('resume')
  expect(offered('edited')).toContain('resume')
})

describe('what can be done', () => {
  it.each([
    ['routes', 'edited', ['repair', 'save_theirs', 'ignore', 'look']],
    ['dns', 'lost', ['repair', 'ignore', 'look']],
    ['certificates', 'edited', ['repair', 'look']],
    // A repair of it waits with it; a retry does not.
    ['certificates', 'rejected', ['retry', 'look']],
    ['routes', 'rejected', ['repair', 'look']],
    ['routes', 'access', ['repair', 'look']],
    ['routes', 'pending_deploy', ['deploy', 'discard', 'look']],
    ['routes', 'edited_and_pending', ['repair', 'deploy', 'discard', 'save_theirs', 'ignore', 'look']],
    ['dns', 'foreign_owner', ['adopt', 'look']],
    ['dns', 'orphan', ['adopt', 'look']],
    ['people', 'foreign_owner', ['look']],
    ['proxy', 'not_loaded', ['go_back', 'look']],
    ['proxy', 'edited', ['look']],
    ['routes', 'neighbour', ['look']],
  ] as const)('%s, %s: %j', (component, cause, expected) => {
    expect(ids(actsOnDifference(groundWith(), component, { ...APP, cause }))).toEqual(expected)
  })

  it('is not possible where the component is suspended, says so, and can be let go on', () => {
    const acts = actsOnDifference(groundWith(SUSPENDED), 'routes', { ...APP, cause: 'edited' })
    expect(ids(acts)).toEqual(['repair', 'save_theirs', 'ignore', 'resume', 'look'])
    expect(acts[0]?.why_not).toContain('suspended')
    expect(acts[3]).toMatchObject({ path: '/api/modes/routes', body: { mode: 'repair' }, why_not: null })
    const modeBefore = () => ({ scope: '*', why_not: 'PLUMBLINE_MODE says so.' })
    const of_settings = actsOnDifference(groundWith({ modeBefore }), 'routes', { ...APP, cause: 'edited' })
    expect(of_settings.find(({ id }) => id === 'resume')?.why_not).toBe('PLUMBLINE_MODE says so.')
  })

  it('never leads back before the first release', () => {
    const [back] = actsOnDifference(groundWith({ release: 1 }), 'proxy', { ...APP, cause: 'not_loaded' })
    expect(back).toMatchObject({ id: 'go_back', path: '/api/releases/1/restore' })
    expect(back?.why_not).toContain('no release before')
  })

  it('is a call that the API describes, with an id of the closed list, and no built act goes without its command', () => {
    const { paths } = JSON.parse(readFileSync('schema/openapi.json', 'utf8')) as {
      paths: Record<string, Record<string, unknown>>
    }
    const templates = Object.entries(paths).map(([path, methods]) => ({
      form: new RegExp(`^${path.replace(/\{[a-z_]+\}/g, '[^/]+')}$`),
      methods: Object.keys(methods).map((method) => method.toUpperCase()),
    }))
    for (const act of everything()) {
      expect(ACT_IDS).toContain(act.id)
      const [path = ''] = act.path.split('?')
      const served = templates.some(({ form, methods }) => form.test(path) && methods.includes(act.method))
      expect(served, `${act.method} ${act.path}`).toBe(true)
      expect(act.confirm === 'none').toBe(act.method === 'GET')
      if (act.id !== 'look') expect(commandFor(act, ['app.example.com'])).toMatch(/^plumbline [a-z]+/)
    }
  })

  it('resumes by the command that brings back what the mode was set over', () => {
    const act = resumeAct('routes')
    const over = (...modes: readonly string[]) => [
      { scope: '*', below: [] },
      { scope: 'routes', below: modes.map((mode) => ({ mode })) },
    ]
    expect(commandFor(act, [])).toBe('plumbline mode set repair routes')
    expect(commandFor(act, [], over())).toBe('plumbline mode set repair routes')
    expect(commandFor(act, [], over('repair', 'observe'))).toBe('plumbline mode set repair routes')
    expect(commandFor(act, [], over('observe'))).toBe('plumbline mode resume routes')
    expect(commandFor(resumeAct('*'), [], over('observe'))).toBe('plumbline mode set repair')
  })

  it('is no command where what it is about cannot be copied as one line', () => {
    const act = (item: string): Act => ({
      id: 'ignore',
      label: 'Let it stay',
      method: 'POST',
      path: `/api/drift/ignored/${item}`,
      body: null,
      confirm: 'asks',
      why_not: null,
    })
    expect(commandFor(act('line%203'), [])).toBe("plumbline drift ignore 'line 3' --for 1d --reason TEXT")
    for (const item of ['a%1B%5B31m', 'a%0Ab', 'a%E2%80%AEb', 'a%00'])
      expect(commandFor(act(item), [])).toBeNull()
    expect(commandFor(act('100%'), [])).toContain("'100%'")
  })

  it('names what stands outside as one word of the shell', () => {
    const name = 'a`id`b$(id).example.com'
    const act = (id: Act['id'], path: string, body: Act['body'] = null): Act => ({
      id,
      label: 'Do it',
      method: 'POST',
      path,
      body,
      confirm: 'asks',
      why_not: null,
    })
    const record = { name, type: 'A' }
    const remove = act('repair', '/api/dns/records/remove', record)
    expect(commandFor(remove, [])).toBe(`plumbline dns remove A '${name}'`)
    expect(commandFor(act('adopt', '/', record), [])).toBe(`plumbline dns adopt A '${name}'`)
    expect(commandFor(act('release_record', '/', record), [])).toBe(`plumbline dns release A '${name}'`)
    const wildcard = act('deploy', '/api/plans', { domain: 3 })
    expect(commandFor(wildcard, ['*.example.com'])).toBe("plumbline plan '*.example.com'")
    expect(commandFor(act('lift', `/api/access/${encodeURIComponent(name)}/lift`), [])).toBe(
      `plumbline access lift '${name}'`,
    )
  })

  it('is nothing for a part that is well, and the setting for one that is not set up', () => {
    const part = {
      component: 'dns',
      configured: true,
      ok: true,
      reason: 'in_sync',
      causes: {},
      details: {},
    } as const
    expect(actsOnPart(groundWith(), part)).toEqual([])
    const unset = { ...part, configured: false }
    expect(
      actsOnPart(groundWith(), { ...unset, details: { settings: ['PLUMBLINE_UNIFI_URL'] } }),
    ).toMatchObject([{ id: 'configure', label: 'Set PLUMBLINE_UNIFI_URL' }])
    expect(actsOnPart(groundWith(), unset)).toEqual([])
  })
})
