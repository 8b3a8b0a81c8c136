/** Alerts at a real router: listed, acknowledged by a silence, and a test that arrives as the specification says. */
import { fetch } from 'undici'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ALERTMANAGER } from '../peers/alertmanager.ts'
import { describePeers } from '../peers/peers.ts'
import { type AlertingWorld, alertingWorld, WITHIN } from './alerting-world.ts'
import { TIER } from '../kit/tier.ts'

describePeers([ALERTMANAGER, 'openssl'], 'alerts at the router', () => {
  let world: AlertingWorld
  beforeEach(async () => (world = await alertingWorld()))
  afterEach(() => world.close())

  async function expectMailed(): Promise<void> {
    await expect.poll(() => world.sink.mails.length, WITHIN).toBe(1)
    const { to, email } = world.sink.mails[0]!
    expect([to, email.subject]).toEqual([['ops@example.org'], '[FIRING] PlumblineTest'])
    for (const line of [
      'Alert: PlumblineTest',
      'Severity: critical',
      'Instance: plumbline',
      'Status: firing',
    ])
      expect(email.text?.split('\n')).toContain(line)
    expect(email.text).toMatch(/^Description: Nothing is wrong\./m)
  }

  it('are listed, mailed with subject and body, and acknowledged until a time', async () => {
    const at = await world.open()
    expect(await at.call('GET', '/api/alerts')).toMatchObject({ status: 503 })
    const dry = await at.call('POST', '/api/alerts/test?dry_run=true', { body: { severity: 'critical' } })
    expect(dry).toMatchObject({
      status: 200,
      body: {
        dry_run: true,
        plan: {
          applyable: true,
          actions: [
            {
              component: 'alerting',
              verb: 'create',
              item: 'alert PlumblineTest at Alertmanager',
              after: 'critical',
            },
          ],
        },
      },
    })
    const router = await world.startRouter()
    expect(await at.call('GET', '/api/alerts')).toMatchObject({ status: 200, body: [] })
    const ack = (name: string, query = '') =>
      at.call('POST', `/api/alerts/ack${query}`, { body: { name, instance: 'plumbline', for_seconds: 3600 } })
    expect(await ack('PlumblineTest')).toMatchObject({ status: 404 })
    expect(await at.call('POST', '/api/alerts/test', { key: null, body: {} })).toMatchObject({ status: 401 })
    const fired = await at.call('POST', '/api/alerts/test', { body: { severity: 'critical' } })
    expect(fired).toMatchObject({ status: 200, body: { success: true, name: 'PlumblineTest' } })
    const listed = async () => (await at.call('GET', '/api/alerts')).body
    const alert = { name: 'PlumblineTest', severity: 'critical', instance: 'plumbline' }
    await expect.poll(listed, WITHIN).toMatchObject([{ ...alert, state: 'firing', silences: [] }])
    // The router mails ten seconds later: that is waited for in depth.
    if (TIER !== 'gate') await expectMailed()

    expect((await ack('PlumblineTest', '?dry_run=true')).body).toMatchObject({
      silence: null,
      alerts: [alert],
      dry_run: true,
      plan: {
        actions: [
          {
            component: 'alerting',
            verb: 'create',
            item: 'silence of alertname="PlumblineTest", instance="plumbline", severity="critical"',
            after: 'for 3600 s',
          },
        ],
      },
    })
    expect(await router.ask('silences')).toEqual([])
    const { body } = await ack('PlumblineTest')
    expect(body).toMatchObject({ success: true, alerts: [{ ...alert, state: 'firing' }] })
    await expect.poll(listed, WITHIN).toMatchObject([{ state: 'acknowledged', silences: [body['silence']] }])
    expect(await router.ask('silences')).toMatchObject([
      {
        createdBy: expect.any(String) as string,
        endsAt: body['until'],
        matchers: [{ isRegex: false }, {}, {}],
      },
    ])
    expect((await at.call('GET', '/api/audit?action=acknowledge_alert')).body).toMatchObject([
      { action: 'acknowledge_alert', detail: { alertname: 'PlumblineTest' } },
    ])
  })

  it('are acknowledged as they fire: another machine, and what becomes worse, are told', async () => {
    const at = await world.open()
    const router = await world.startRouter()
    const fire = async (...alerts: readonly Readonly<Record<string, string>>[]) =>
      expect(
        await fetch(`${router.origin}/api/v2/alerts`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(alerts.map((labels) => ({ labels: { alertname: 'Down', ...labels } }))),
        }),
      ).toMatchObject({ status: 200 })
    const stateOf = async () =>
      ((await at.call('GET', '/api/alerts')).body as unknown as readonly Readonly<Record<string, string>>[])
        .map(({ instance, severity, state }) => `${instance ?? '-'} ${severity ?? '-'} ${state}`)
        .toSorted()
    await fire({ instance: 'nas', severity: 'warning', disk: 'a' })
    await fire({ instance: 'nas', severity: 'warning', disk: 'b' }, { severity: 'warning' })
    await expect.poll(stateOf, WITHIN).toHaveLength(3)

    const body = { name: 'Down', for_seconds: 3600 }
    const dry = await at.call('POST', '/api/alerts/ack?dry_run=true', { body })
    expect(dry.body).toMatchObject({ silence: null, silences: [], plan: { actions: [{}, {}] } })
    const acknowledged = (await at.call('POST', '/api/alerts/ack', { body })).body
    const { silences } = acknowledged as unknown as { readonly silences: readonly string[] }
    expect(silences).toHaveLength(2)
    expect(acknowledged).toMatchObject({ success: true, silence: silences[0], alerts: [{}, {}, {}] })
    expect((await at.call('GET', '/api/audit?action=acknowledge_alert')).body).toHaveLength(2)

    await fire({ instance: 'hub', severity: 'warning' }, { instance: 'nas', severity: 'critical' })
    await expect
      .poll(stateOf, WITHIN)
      .toEqual([
        '- warning acknowledged',
        'hub warning firing',
        'nas critical firing',
        'nas warning acknowledged',
        'nas warning acknowledged',
      ])
  })
})
