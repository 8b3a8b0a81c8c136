/** The configuration of the alert router: amtool takes it for every subset of recipients, and each alert goes where it should. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { describePeers } from '../../peers/peers.ts'
import { runTool } from '../../peers/peer.ts'
import { PAGER, sample, SECONDARY, type Wish } from './sample-rendering.ts'
import { newFolder } from '../../kit/new-folder.ts'

const SUBSETS: readonly (readonly [string, Wish])[] = [
  ['the first alone', {}],
  ['a second', { secondary: [SECONDARY] }],
  ['one for critical alone', { critical_only: [PAGER] }],
  ['a second, of critical alerts', { secondary: [SECONDARY], secondary_severity: 'critical' }],
  ['all three', { secondary: [SECONDARY, 'late@example.org'], critical_only: [PAGER] }],
]
const WATCHDOG: Wish = {
  watchdog_file: '/etc/prometheus/rules/watchdog.yml',
  watchdog_url: 'http://127.0.0.1:8080/api/heartbeats/watchdog',
  watchdog_token_file: '/etc/prometheus/watchdog-token',
}
const ALL: Wish = { secondary: [SECONDARY], critical_only: [PAGER] }

describe('what is rendered', () => {
  it('is nothing without ALERT_EMAIL, which is named', () => {
    expect(sample({ primary: [] })).toEqual({
      rules: null,
      watchdog: null,
      router: null,
      template: null,
      missing: [expect.stringMatching(/^ALERT_EMAIL is not set/)],
    })
    expect(sample({ primary: [], rules_file: null, router_file: null }).missing).toEqual([])
  })

  it.each<[string, Wish]>([
    ['PLUMBLINE_ALERT_WATCHDOG_FILE', { ...WATCHDOG, watchdog_file: null }],
    ['PLUMBLINE_ALERT_WATCHDOG_URL', { ...WATCHDOG, watchdog_url: null }],
    ['PLUMBLINE_ALERT_WATCHDOG_TOKEN_FILE', { ...WATCHDOG, watchdog_token_file: null }],
    ['PLUMBLINE_ALERT_RULES_FILE', { ...WATCHDOG, rules_file: null }],
    ['PLUMBLINE_ALERTMANAGER_FILE', { ...WATCHDOG, router_file: null }],
  ])('has no alert that always fires without %s, which is named', (setting, wish) => {
    const { watchdog, router, missing } = sample(wish)
    expect(missing).toEqual([`${setting} is not set, so the alert that always fires is not written.`])
    expect(watchdog).toBeNull()
    expect(router?.text ?? '').not.toContain('watchdog')
  })

  it('has other marks with the alert that always fires, whose rule is loaded with the others', () => {
    const [without, having] = [sample(), sample(WATCHDOG)]
    expect(having.watchdog?.text).toContain('expr: "vector(1)"')
    expect(having.rules!.mark).not.toBe(without.rules!.mark)
    expect(having.router!.mark).not.toBe(without.router!.mark)
  })

  it.each<[string, Wish, RegExp]>([
    ['no mail server', { smtp_server: null }, /^PLUMBLINE_SMTP_SERVER is not set/],
    ['no sender', { from: [] }, /^PLUMBLINE_MAIL_FROM is not set/],
    [
      'a user without the file of the password',
      { smtp_user: 'u' },
      /^PLUMBLINE_ALERT_SMTP_PASSWORD_FILE is not/,
    ],
    ['mail without TLS', { smtp_tls: 'none' }, /^PLUMBLINE_SMTP_TLS is none/],
    [
      'implicit TLS at a port where it is not spoken',
      { smtp_tls: 'implicit' },
      /STARTTLS at every port but 465/,
    ],
    [
      'STARTTLS at the port of implicit TLS',
      { smtp_server: { host: 'mail.example.org', port: 465 } },
      /implicit TLS at port 465/,
    ],
    ['a template for an address', { secondary: ['a{{b@example.org'] }, /"a{{b@example.org" holds "{{"/],
  ])('is no router configuration with %s, and the rules all the same', (_what, wish, told) => {
    const { rules, router, template, missing } = sample(wish)
    expect({ router, template }).toEqual({ router: null, template: null })
    expect(missing).toEqual([expect.stringMatching(told)])
    expect(rules).not.toBeNull()
  })

  it('names the password by its file, and the template by its way from there', () => {
    const { router, template } = sample({
      smtp_user: 'alerts',
      smtp_password_file: '/run/secrets/smtp',
      template_file: '/etc/templates/mail.tmpl',
      smtp_ca_file: '/etc/ca.pem',
    })
    expect(template?.path).toBe('/etc/templates/mail.tmpl')
    expect(parse(router!.text)).toMatchObject({
      global: {
        smtp_smarthost: 'mail.example.org:587',
        smtp_require_tls: true,
        smtp_auth_username: 'alerts',
        smtp_auth_password_file: '/run/secrets/smtp',
      },
      templates: ['../templates/mail.tmpl'],
      receivers: [{ email_configs: [{ tls_config: { ca_file: '/etc/ca.pem' } }] }, { name: router!.mark }],
    })
    expect(sample().template?.path).toBe('/etc/alertmanager/plumbline.tmpl')
  })

  it('has another mark with other recipients or another template, and the same for the same', () => {
    const marks = SUBSETS.map(([, wish]) => sample(wish).router!.mark)
    expect(new Set(marks).size).toBe(SUBSETS.length)
    expect(sample(ALL)).toEqual(sample(ALL))
  })
})

describePeers(['amtool'], 'the router configuration by amtool', () => {
  let folder: string
  beforeEach(() => (folder = newFolder('router')))

  function written(wish: Wish): string {
    const config = join(folder, 'am', 'alertmanager.yml')
    const { router, template } = sample({
      router_file: config,
      template_file: join(folder, 'mails', 'own.tmpl'),
      smtp_user: 'alerts',
      smtp_password_file: '/run/secrets/smtp',
      ...wish,
    })
    for (const { path, text } of [router!, template!]) {
      mkdirSync(join(path, '..'), { recursive: true })
      writeFileSync(path, text)
    }
    return config
  }

  it.each(SUBSETS)('is taken with %s', async (_who, wish) => {
    const said = await runTool('amtool', ['check-config', written(wish)])
    expect(said).toContain('SUCCESS')
    expect(said).toContain('1 templates')
  })

  it('is refused where the template is none, so the check looks at it', async () => {
    const config = written({})
    writeFileSync(join(folder, 'mails', 'own.tmpl'), '{{ define "x" }}')
    await expect(runTool('amtool', ['check-config', config])).rejects.toThrow('failed to validate')
  })

  const route = async (config: string, severity: string) =>
    (
      await runTool('amtool', ['config', 'routes', 'test', `--config.file=${config}`, `severity=${severity}`])
    ).trim()

  it.each(SUBSETS)('the alert that always fires goes to its heartbeat alone, with %s', async (_who, wish) => {
    const config = written({ ...wish, ...WATCHDOG })
    expect(await runTool('amtool', ['check-config', config])).toContain('SUCCESS')
    const labels = ['alertname=PlumblineWatchdog', 'severity=none']
    const receivers = await runTool('amtool', [
      'config',
      'routes',
      'test',
      `--config.file=${config}`,
      ...labels,
    ])
    expect(receivers.trim()).toBe('watchdog')
    expect(await route(config, 'critical')).toBe(await route(written(wish), 'critical'))
  })

  it.each([
    ['critical', 'critical-only,secondary,primary'],
    ['high', 'secondary,primary'],
    ['warning', 'secondary,primary'],
    ['info', 'secondary,primary'],
  ])('%s goes to %s', async (severity, receivers) => {
    expect(await route(written(ALL), severity)).toBe(receivers)
  })

  it.each([
    ['critical', 'critical-only,secondary,primary'],
    ['high', 'primary'],
    ['warning', 'primary'],
  ])('%s goes to %s where the second is told of critical alerts alone', async (severity, receivers) => {
    expect(await route(written({ ...ALL, secondary_severity: 'critical' }), severity)).toBe(receivers)
  })

  it.each(['critical', 'high', 'warning', 'info'])(
    '%s goes to the first, where there is no other',
    async (severity) => {
      expect(await route(written({}), severity)).toBe('primary')
    },
  )
})
