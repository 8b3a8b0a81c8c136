/** The files of alerting over the whole house: written from settings, kept true, and never somebody else's. */
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { create, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const WITHIN = { timeout: 30_000 }
type Health = {
  readonly components: readonly { readonly name: string; readonly ok: boolean; readonly message: string }[]
}

describe('the files of alerting', () => {
  let folder: string
  let paths: Readonly<Record<'rules' | 'router' | 'template', string>>
  const opened: TestHouse[] = []
  beforeEach(() => {
    folder = newFolder('alerting')
    paths = {
      rules: join(folder, 'rules', 'plumbline.yml'),
      router: join(folder, 'am', 'alertmanager.yml'),
      template: join(folder, 'am', 'plumbline.tmpl'),
    }
  })
  afterEach(async () => {
    for (const one of opened.splice(0)) await one[Symbol.asyncDispose]()
  })

  async function open(over: Readonly<Record<string, string>> = {}, directory?: string): Promise<TestHouse> {
    const env = {
      PLUMBLINE_ALERT_RULES_FILE: paths.rules,
      PLUMBLINE_ALERTMANAGER_FILE: paths.router,
      PLUMBLINE_SMTP_SERVER: 'mail.example.org:587',
      PLUMBLINE_MAIL_FROM: 'alerts@example.org',
      ALERT_EMAIL: 'ops@example.org',
      ...over,
    }
    const at = await openTestHouse({ env, ...(directory !== undefined && { directory }) })
    opened.push(at)
    return at
  }
  const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '')
  const allWritten = () =>
    expect.poll(() => Object.values(paths).map(existsSync), WITHIN).toEqual([true, true, true])
  const part = async (at: TestHouse, name: string) => {
    const { body } = await at.call('GET', '/api/control-plane/health')
    return (body as unknown as Health).components.find((one) => one.name === name)
  }

  it('are written without a release, and an edit by hand or a lost file is undone', async () => {
    const at = await open()
    await allWritten()
    expect([statSync(paths.rules).mode & 0o777, read(paths.rules)]).toEqual([
      0o644,
      expect.stringContaining('alert: "CephOsdDown"'),
    ])
    const [rules, router] = [read(paths.rules), read(paths.router)]
    appendFileSync(paths.rules, '# mine\n')
    rmSync(paths.router)
    await expect.poll(() => [read(paths.rules), read(paths.router)], WITHIN).toEqual([rules, router])
    expect(readdirSync(join(folder, 'rules')).filter((name) => name.endsWith('.plumbline'))).toHaveLength(1)
    await expect.poll(async () => (await part(at, 'alerting:rules'))?.ok, WITHIN).toBe(true)
  })

  itInDepth('are the same bytes whatever is released', async () => {
    const at = await open()
    await allWritten()
    const stamps = () => Object.values(paths).map((path) => [statSync(path).ino, read(path)])
    const before = stamps()
    for (let n = 0; n < 10; n++) {
      const id = await create(at.call, { domain: `app${n}.example.com` })
      expect((await at.call('POST', `/api/domains/${id}/activate`)).status).toBe(200)
    }
    expect((await at.call('GET', '/api/releases')).body).not.toMatchObject({ releases: [] })
    for (const key of ['alerting:rules', 'alerting:router', 'alerting:template'])
      await expect.poll(async () => (await part(at, key))?.ok, WITHIN).toBe(true)
    expect(stamps()).toEqual(before)
  })

  itInDepth('follow the settings at the next start', async () => {
    const at = await open()
    await allWritten()
    const before = read(paths.router)
    await at.house.close()
    const next = await open({ ALERT_EMAIL_SECONDARY: 'night@example.org' }, at.directory)
    await expect.poll(() => read(paths.router), WITHIN).toContain('night@example.org')
    expect(before).not.toContain('night@example.org')
    expect(read(paths.template)).toContain('second recipient')
    await next[Symbol.asyncDispose]()
  })

  itInDepth('that stood there first are left alone, and that is said', async () => {
    const at = await open({ PLUMBLINE_ALERT_RULES_FILE: join(folder, 'theirs.yml') })
    await expect.poll(() => existsSync(join(folder, 'theirs.yml')), WITHIN).toBe(true)
    await at[Symbol.asyncDispose]()
    writeFileSync(join(folder, 'other.yml'), 'groups: []\n')
    const other = await open({ PLUMBLINE_ALERT_RULES_FILE: join(folder, 'other.yml') })
    await expect
      .poll(async () => (await part(other, 'alerting:rules'))?.message, WITHIN)
      .toMatch(/was there before Plumbline first wrote to it and is left alone\. Move it away;/)
    expect(read(join(folder, 'other.yml'))).toBe('groups: []\n')
  })

  it('are not written without ALERT_EMAIL, which is named', async () => {
    const at = await open({ ALERT_EMAIL: '' })
    await expect
      .poll(async () => await part(at, 'alerting_settings'), WITHIN)
      .toMatchObject({ ok: false, message: expect.stringContaining('ALERT_EMAIL is not set') as string })
    expect(Object.values(paths).map(existsSync)).toEqual([false, false, false])
  })

  it('are three, which is said at the start', async () => {
    await expect(open({ PLUMBLINE_ALERT_RULES_FILE: paths.router })).rejects.toThrow(
      'PLUMBLINE_ALERTMANAGER_FILE must be another file than PLUMBLINE_ALERT_RULES_FILE.',
    )
    await expect(open({ PLUMBLINE_ALERT_RULES_FILE: paths.template })).rejects.toThrow(
      'PLUMBLINE_ALERT_TEMPLATE_FILE must be another file than',
    )
  })
})
